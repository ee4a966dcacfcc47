/* SPDX-License-Identifier: Apache-2.0
 *
 * The door of the provider (provider(7)): configuration, what it offers, errors.
 *
 * openssl.cnf may say in the provider's section, for each set of sets.h,
 *     MAYO-1.oid = 1.3.6.1.4.1.99999.1      the identifier that is written, and read besides the ones that are built in
 *     MAYO-1.code-point = 0xfe01            its signature scheme in TLS 1.3; 0 takes the set out of TLS
 */
#include "provider.h"

#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/prov_ssl.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>

#define FOREIGN_SUFFIX "-bc" /* names the second identifier of a set, which is Bouncy Castle's */

/* ---- errors ----------------------------------------------------------------------------------------------------------- */

int raise_error_at(const Provider *provider, const char *file, int line, aioli_status status, const char *format, ...) {
  if (provider->new_error == NULL || provider->set_error_debug == NULL || provider->vset_error == NULL) return 0;
  va_list arguments;
  va_start(arguments, format);
  provider->new_error(provider->handle);
  provider->set_error_debug(provider->handle, file, line, "aioli");
  provider->vset_error(provider->handle, (uint32_t)-status, format, arguments);
  va_end(arguments);
  return 0;
}

static void list_reasons(Provider *provider) {
  for (int i = 0; i < -AIOLI_ERR_ENCRYPTED; i++)
    provider->reasons[i] = (OSSL_ITEM){(unsigned)(i + 1), (void *)aioli_status_text((aioli_status)(-i - 1))};
}

static const OSSL_ITEM *reason_strings(void *provider) { return ((const Provider *)provider)->reasons; }

int write_all(const Provider *provider, OSSL_CORE_BIO *out, const void *bytes, size_t count) {
  size_t written = 0;
  return provider->bio_write(out, bytes, count, &written) && written == count;
}

/* ---- sets ------------------------------------------------------------------------------------------------------------- */

static const struct Row {
  const char *name, *alias;
  unsigned code_point;
} rows[set_count] = {
#define X(id, name, alias, point) {name, alias, point},
    AIOLI_OPENSSL_SETS(X)
#undef X
};

static char *joined(const char *a, const char *separator, const char *b) {
  const size_t n = strlen(a) + strlen(separator) + strlen(b) + 1;
  char *const text = OPENSSL_malloc(n);
  if (text != NULL) snprintf(text, n, "%s%s%s", a, separator, b);
  return text;
}

/* names = names:more */
static int add_name(char **names, const char *more) {
  char *const longer = *names != NULL ? joined(*names, ":", more) : joined(more, "", "");
  OPENSSL_free(*names);
  *names = longer;
  return longer != NULL;
}

/* What openssl.cnf says of NAME.PROPERTY; NULL if nothing. */
static char *configured(const Provider *provider, OSSL_FUNC_core_get_params_fn *core_params, const char *name,
                        const char *property) {
  char *const key = joined(name, ".", property);
  char *value = NULL;
  OSSL_PARAM params[2] = {OSSL_PARAM_construct_utf8_ptr(key, &value, 0), OSSL_PARAM_construct_end()};
  if (key == NULL || core_params == NULL || !core_params(provider->handle, params) || !OSSL_PARAM_modified(&params[0]))
    value = NULL;
  OPENSSL_free(key);
  return value;
}

/* The identifier as DER, and as OpenSSL spells it: 1.02 is 1.2. */
static int make_algorithm_id(Set *set) {
  char text[256];
  ASN1_OBJECT *const object = OBJ_txt2obj(set->oid, 1);
  int n = object != NULL ? OBJ_obj2txt(text, sizeof text, object, 1) : -1;
  char *const spelled = n > 0 && (size_t)n < sizeof text ? joined(text, "", "") : NULL;
  if (spelled != NULL) {
    OPENSSL_free(set->oid);
    set->oid = spelled;
  }
  n = spelled != NULL ? i2d_ASN1_OBJECT(object, NULL) : -1;
  if (n > 0 && n < 126) {
    set->algorithm_id = OPENSSL_malloc((size_t)n + 2);
    if (set->algorithm_id != NULL) {
      unsigned char *p = set->algorithm_id;
      *p++ = 0x30;
      *p++ = (unsigned char)n;
      i2d_ASN1_OBJECT(object, &p);
      set->algorithm_id_bytes = (size_t)n + 2;
    }
  }
  ASN1_OBJECT_free(object);
  return set->algorithm_id != NULL;
}

/* The identifiers of the table in keyfile that are read for a set, but not written: those of Bouncy Castle's arc for UOV. */
static char *foreign_oid(const Set *set) {
  if (set->composite != NULL) return NULL;
  for (int i = 1; i <= 12; i++) {
    char oid[40];
    snprintf(oid, sizeof oid, "1.3.6.1.4.1.22554.2.14.%d", i);
    if (aioli_alg_by_oid(oid) == set->alg && strcmp(oid, set->oid) != 0) return joined(oid, "", "");
  }
  return NULL;
}

/* Tells OpenSSL's core of an identifier, and that signatures under it need no digest: X.509 works by this. */
static int announce(const Provider *provider, const char *oid, const char *name, OSSL_FUNC_core_obj_create_fn *create,
                    OSSL_FUNC_core_obj_add_sigid_fn *add_sigid) {
  if (create == NULL || add_sigid == NULL) return 1;
  return create(provider->handle, oid, name, name) && add_sigid(provider->handle, oid, "", oid);
}

static const char *built_in_oid(const Set *set) {
  return set->composite != NULL ? aioli_composite_oid(set->composite) : aioli_key_oid(set->alg, NULL);
}

/* Whose identifier it is that a set was given, if another's: one that was made before or one that is built in.  A file under it
 * would be read as a key of either, and one seed under two sets can give the key away. */
static const char *owner_of(const Provider *provider, const Set *set) {
  for (const Set *other = provider->sets; other < set; other++)
    if (other->alg != NULL && strcmp(other->oid, set->oid) == 0) return other->name;
  const aioli_alg *const alg = aioli_alg_by_oid(set->oid);
  if (alg != NULL && (set->composite != NULL || alg != set->alg)) return aioli_alg_name(alg);
  for (size_t i = 0; i < aioli_composite_count(); i++) {
    const aioli_composite *const other = aioli_composite_at(i);
    if (other != set->composite && strcmp(aioli_composite_oid(other), set->oid) == 0) return aioli_composite_name(other);
  }
  return NULL;
}

static void measure(Set *set) {
  const aioli_composite *const c = set->composite;
  set->pk_bytes = c != NULL ? aioli_composite_public_key_bytes(c) : aioli_public_key_bytes(set->alg);
  set->sk_bytes = c != NULL ? aioli_composite_secret_key_bytes(c) : aioli_secret_key_bytes(set->alg);
  set->seed_bytes = c != NULL ? aioli_composite_seed_bytes(c) : aioli_seed_bytes(set->alg);
  set->sig_bytes = c != NULL ? aioli_composite_signature_bytes_max(c) : aioli_signature_bytes(set->alg);
}

static int make_set(Provider *provider, int index, OSSL_FUNC_core_get_params_fn *core_params,
                    OSSL_FUNC_core_obj_create_fn *create, OSSL_FUNC_core_obj_add_sigid_fn *add_sigid) {
  static const unsigned security_bits[] = {0, 128, 0, 192, 0, 256};
  Set *const set = &provider->sets[index];
  set->name = rows[index].name;
  set->composite = aioli_composite_by_name(set->name);
  set->alg = set->composite != NULL ? aioli_composite_alg(set->composite) : aioli_alg_by_name(set->name);
  if (set->alg == NULL) return 1;
  measure(set);
  set->security_bits = security_bits[aioli_alg_category(set->alg)];
  set->code_point = rows[index].code_point;

  const char *const oid = configured(provider, core_params, set->name, "oid");
  set->oid = joined(oid != NULL ? oid : built_in_oid(set), "", "");
  if (set->oid == NULL) return 0;
  if (!make_algorithm_id(set)) return raise_error(provider, AIOLI_ERR_ARGUMENT, "%s.oid = %s", set->name, set->oid);
  const char *const owner = owner_of(provider, set);
  if (owner != NULL)
    return raise_error(provider, AIOLI_ERR_ARGUMENT, "%s.oid = %s is the identifier of %s", set->name, set->oid, owner);
  const char *const point = configured(provider, core_params, set->name, "code-point");
  if (point != NULL) {
    char *end = NULL;
    const unsigned long value = strtoul(point, &end, 0);
    if (*point == 0 || *end != 0 || value > 0xffff)
      return raise_error(provider, AIOLI_ERR_ARGUMENT, "%s.code-point = %s", set->name, point);
    set->code_point = (unsigned)value;
  }
  for (int i = 0; i < index && set->code_point != 0; i++)
    if (provider->sets[i].alg != NULL && provider->sets[i].code_point == set->code_point)
      return raise_error(provider, AIOLI_ERR_ARGUMENT, "%s and %s have the same code point", provider->sets[i].name, set->name);

  if (!add_name(&set->names, set->name)) return 0;
  if (rows[index].alias != NULL && !add_name(&set->names, rows[index].alias)) return 0;
  if (!add_name(&set->names, set->oid)) return 0;
  if (!announce(provider, set->oid, set->name, create, add_sigid))
    return raise_error(provider, AIOLI_ERR_ARGUMENT, "%s: OpenSSL refuses the identifier %s", set->name, set->oid);
  char *const foreign = foreign_oid(set);
  if (foreign != NULL) {
    char *const name = joined(set->name, FOREIGN_SUFFIX, "");
    const int ok = name != NULL && announce(provider, foreign, name, create, add_sigid) && add_name(&set->names, name) &&
                   add_name(&set->names, foreign);
    OPENSSL_free(name);
    OPENSSL_free(foreign);
    if (!ok) return 0;
  }
  return 1;
}

/* aioli_key_encode and aioli_key_decode take identifiers from here before their own. */
static void list_overrides(Provider *provider) {
  aioli_oid *entry = provider->overrides;
  for (int i = 0; i < set_count; i++) {
    const Set *const set = &provider->sets[i];
    if (set->alg == NULL || set->composite != NULL || strcmp(set->oid, built_in_oid(set)) == 0) continue;
    entry->algorithm = set->name;
    entry++->oid = set->oid;
  }
}

static void list_algorithms(Provider *provider) {
  OSSL_ALGORITHM *keys = provider->keymgmt, *signatures = provider->signature;
  for (int i = 0; i < set_count; i++) {
    const Set *const set = &provider->sets[i];
    if (set->alg == NULL) continue;
    *keys++ = (OSSL_ALGORITHM){set->names, "provider=aioli", keymgmt_functions[i], set->name};
    *signatures++ = (OSSL_ALGORITHM){set->names, "provider=aioli", signature_functions, set->name};
  }
}

/* ---- what OpenSSL asks ------------------------------------------------------------------------------------------------ */

static const OSSL_ALGORITHM *query(void *object, int operation, int *no_cache) {
  const Provider *const provider = object;
  *no_cache = 0;
  switch (operation) {
    case OSSL_OP_KEYMGMT: return provider->keymgmt;
    case OSSL_OP_SIGNATURE: return provider->signature;
    case OSSL_OP_ENCODER: return provider->encoders;
    case OSSL_OP_DECODER: return provider->decoders;
  }
  return NULL;
}

static int at_least(const char *version, int major, int minor) {
  int a = 0, b = 0;
  return sscanf(version, "%d.%d", &a, &b) == 2 && (a > major || (a == major && b >= minor));
}

/* TLS 1.3 (since OpenSSL 3.2; older ones do not ask).  The names of these parameters are newer than the headers of 3.0. */
static int tls_signatures(const Provider *provider, OSSL_CALLBACK *callback, void *argument) {
  for (int i = 0; i < set_count; i++) {
    const Set *const set = &provider->sets[i];
    if (set->alg == NULL || set->code_point == 0) continue;
    unsigned point = set->code_point, bits = set->security_bits;
    int first = TLS1_3_VERSION, last = 0, none = -1;
    char *const name = (char *)set->name;
    OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("tls-sigalg-iana-name", name, 0),
                           OSSL_PARAM_construct_utf8_string("tls-sigalg-name", name, 0),
                           OSSL_PARAM_construct_utf8_string("tls-sigalg-oid", set->oid, 0),
                           OSSL_PARAM_construct_uint("tls-sigalg-code-point", &point),
                           OSSL_PARAM_construct_uint("tls-sigalg-sec-bits", &bits),
                           OSSL_PARAM_construct_int("tls-min-tls", &first),
                           OSSL_PARAM_construct_int("tls-max-tls", &last),
                           OSSL_PARAM_construct_int("tls-min-dtls", &none),
                           OSSL_PARAM_construct_int("tls-max-dtls", &none),
                           OSSL_PARAM_construct_end()};
    if (!callback(params, argument)) return 0;
  }
  return 1;
}

/* Of other capabilities we have none, which is no failure: libssl gives up where a provider says 0. */
static int capabilities(void *provider, const char *capability, OSSL_CALLBACK *callback, void *argument) {
  return OPENSSL_strcasecmp(capability, "TLS-SIGALG") == 0 ? tls_signatures(provider, callback, argument) : 1;
}

static const OSSL_PARAM *gettable_params(void *provider) {
  static const OSSL_PARAM gettable[] = {
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0), OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
      OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0), OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL), OSSL_PARAM_END};
  (void)provider;
  return gettable;
}

static int get_params(void *object, OSSL_PARAM params[]) {
  const Provider *const provider = object;
  OSSL_PARAM *const name = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME);
  OSSL_PARAM *const version = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION);
  OSSL_PARAM *const info = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO);
  OSSL_PARAM *const status = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS);
  return (name == NULL || OSSL_PARAM_set_utf8_ptr(name, "aioli: MAYO and UOV signatures")) &&
         (version == NULL || OSSL_PARAM_set_utf8_ptr(version, aioli_version())) &&
         (info == NULL || OSSL_PARAM_set_utf8_ptr(info, provider->build_info)) &&
         (status == NULL || OSSL_PARAM_set_int(status, aioli_backend_active() != NULL));
}

static int self_test(void *object) {
  const Provider *const provider = object;
  const aioli_status status = aioli_selftest(NULL);
  return status == AIOLI_OK || raise_error(provider, status, "self-test");
}

static int randomness(void *context, uint8_t *out, size_t n) {
  return RAND_priv_bytes_ex(((Provider *)context)->libctx, out, n, 0) == 1 ? 0 : -1;
}

static void teardown(void *object) {
  Provider *const provider = object;
  for (int i = 0; i < set_count; i++) {
    OPENSSL_free(provider->sets[i].oid);
    OPENSSL_free(provider->sets[i].names);
    OPENSSL_free(provider->sets[i].algorithm_id);
  }
  OSSL_LIB_CTX_free(provider->libctx);
  OPENSSL_free(provider);
}

__attribute__((visibility("default"))) OSSL_provider_init_fn OSSL_provider_init;
int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context) {
  static const OSSL_DISPATCH functions[] = {{OSSL_FUNC_PROVIDER_TEARDOWN, (Function)teardown},
                                            {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (Function)query},
                                            {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (Function)capabilities},
                                            {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (Function)gettable_params},
                                            {OSSL_FUNC_PROVIDER_GET_PARAMS, (Function)get_params},
                                            {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (Function)reason_strings},
                                            {OSSL_FUNC_PROVIDER_SELF_TEST, (Function)self_test},
                                            {0, NULL}};
  OSSL_FUNC_core_get_params_fn *core_params = NULL;
  OSSL_FUNC_core_obj_create_fn *create = NULL;
  OSSL_FUNC_core_obj_add_sigid_fn *add_sigid = NULL;
  Provider *const provider = OPENSSL_zalloc(sizeof *provider);
  if (provider == NULL) return 0;
  provider->handle = handle;
  for (const OSSL_DISPATCH *f = in; f->function_id != 0; f++) switch (f->function_id) {
      case OSSL_FUNC_CORE_GET_PARAMS: core_params = OSSL_FUNC_core_get_params(f); break;
      case OSSL_FUNC_CORE_OBJ_CREATE: create = OSSL_FUNC_core_obj_create(f); break;
      case OSSL_FUNC_CORE_OBJ_ADD_SIGID: add_sigid = OSSL_FUNC_core_obj_add_sigid(f); break;
      case OSSL_FUNC_CORE_NEW_ERROR: provider->new_error = OSSL_FUNC_core_new_error(f); break;
      case OSSL_FUNC_CORE_SET_ERROR_DEBUG: provider->set_error_debug = OSSL_FUNC_core_set_error_debug(f); break;
      case OSSL_FUNC_CORE_VSET_ERROR: provider->vset_error = OSSL_FUNC_core_vset_error(f); break;
      case OSSL_FUNC_BIO_READ_EX: provider->bio_read = OSSL_FUNC_BIO_read_ex(f); break;
      case OSSL_FUNC_BIO_WRITE_EX: provider->bio_write = OSSL_FUNC_BIO_write_ex(f); break;
    }
  provider->env.rng = randomness;
  provider->env.rng_context = provider;
  provider->libctx = OSSL_LIB_CTX_new_child(handle, in);
  int ok = provider->libctx != NULL && provider->bio_read != NULL && provider->bio_write != NULL;

  char *version = NULL;
  OSSL_PARAM ask[2] = {OSSL_PARAM_construct_utf8_ptr(OSSL_PROV_PARAM_CORE_VERSION, &version, 0), OSSL_PARAM_construct_end()};
  if (core_params != NULL && core_params(handle, ask) && version != NULL)
    snprintf(provider->core_version, sizeof provider->core_version, "%s", version);
  snprintf(provider->build_info, sizeof provider->build_info, "backend %s; %s",
           aioli_backend_active() != NULL ? aioli_backend_active() : "none: see AIOLI_BACKEND",
           at_least(provider->core_version, 3, 2) ? "TLS 1.3 with MAYO"
                                                  : "no TLS: it needs OpenSSL 3.2 or later, and this one is older");

  for (int i = 0; ok && i < set_count; i++) ok = make_set(provider, i, core_params, create, add_sigid);
  if (!ok) {
    teardown(provider);
    return 0;
  }
  list_reasons(provider);
  list_overrides(provider);
  list_algorithms(provider);
  list_encoders(provider);
  list_decoders(provider);
  *context = provider;
  *out = functions;
  return 1;
}
