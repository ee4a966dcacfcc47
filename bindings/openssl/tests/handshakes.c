/* SPDX-License-Identifier: Apache-2.0
 *
 * TLS 1.3 in one process: a server and a client that talk through memory.
 *
 * handshakes COUNT CHAIN.pem KEY.pem ROOT.pem NAME [THREADS [leak]]
 *
 * Each handshake is complete: a new connection without resumption, the client verifies the chain and the name localhost, both
 * sides say something.  Prints the bytes that each side sent before that, and handshakes per second of processor time, for the
 * work of both sides.  Then a chain that does not end in the root must fail.  Exit status 0 if all that is so.
 */
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static SSL_CTX *server_side, *client_side, *stranger;

static SSL_CTX *context(const SSL_METHOD *method) {
  SSL_CTX *const c = SSL_CTX_new(method);
  if (c == NULL || SSL_CTX_set_min_proto_version(c, TLS1_3_VERSION) != 1) return NULL;
  SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);
  return c;
}

/* 1: done, and both sides have read what the other said. */
static int handshake(SSL_CTX *client_context, unsigned long *by_server, unsigned long *by_client, char *signature) {
  int ok = 0;
  char heard[8] = "";
  BIO *a = NULL, *b = NULL;
  SSL *const server = SSL_new(server_side), *const client = SSL_new(client_context);
  if (server == NULL || client == NULL || BIO_new_bio_pair(&a, 1 << 16, &b, 1 << 16) != 1) goto end;
  SSL_set_bio(server, a, a);
  SSL_set_bio(client, b, b);
  SSL_set_accept_state(server);
  SSL_set_connect_state(client);
  SSL_set_tlsext_host_name(client, "localhost");
  SSL_set1_host(client, "localhost");
  int s = 0, c = 0;
  for (int turns = 0; turns < 20 && (s != 1 || c != 1); turns++) {
    if (c != 1) c = SSL_do_handshake(client);
    if (c < 0 && SSL_get_error(client, c) == SSL_ERROR_SSL) goto end;
    if (s != 1) s = SSL_do_handshake(server);
    if (s < 0 && SSL_get_error(server, s) == SSL_ERROR_SSL) goto end;
  }
  if (s != 1 || c != 1) goto end;
  *by_server = BIO_number_written(SSL_get_wbio(server));
  *by_client = BIO_number_written(SSL_get_wbio(client));
  const char *name = NULL;
#if OPENSSL_VERSION_NUMBER >= 0x30500000L
  if (SSL_get0_peer_signature_name(client, &name) != 1) goto end;
#endif
  snprintf(signature, 64, "%s", name != NULL ? name : "?");
  ok = SSL_write(client, "olive", 5) == 5 && SSL_read(server, heard, 5) == 5 && memcmp(heard, "olive", 5) == 0 &&
       SSL_write(server, "oil", 3) == 3 && SSL_read(client, heard, 3) == 3 && memcmp(heard, "oil", 3) == 0;
end:
  SSL_free(server);
  SSL_free(client);
  return ok;
}

typedef struct Work {
  long count, done;
} Work;

static void *many(void *argument) {
  Work *const w = argument;
  unsigned long sent, got;
  char name[64];
  for (long i = 0; i < w->count; i++) w->done += handshake(client_side, &sent, &got, name);
  return NULL;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int fail(const char *what) {
  fprintf(stderr, "handshakes: %s\n", what);
  ERR_print_errors_fp(stderr);
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 6) return 2;
  const long count = atol(argv[1]);
  const int threads = argc > 6 ? atoi(argv[6]) : 1;
  server_side = context(TLS_server_method());
  client_side = context(TLS_client_method());
  stranger = context(TLS_client_method());
  if (server_side == NULL || client_side == NULL || stranger == NULL) return fail("no TLS 1.3");
  if (SSL_CTX_use_certificate_chain_file(server_side, argv[2]) != 1 ||
      SSL_CTX_use_PrivateKey_file(server_side, argv[3], SSL_FILETYPE_PEM) != 1 || SSL_CTX_check_private_key(server_side) != 1)
    return fail("the server's certificate; signatures of providers in TLS need OpenSSL 3.2 or later");
  if (SSL_CTX_load_verify_file(client_side, argv[4]) != 1) return fail("the root");
  SSL_CTX_set_verify(client_side, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_verify(stranger, SSL_VERIFY_PEER, NULL);
  SSL_CTX_set_num_tickets(server_side, 0);

  unsigned long by_server = 0, by_client = 0;
  char signature[64] = "";
  if (!handshake(client_side, &by_server, &by_client, signature)) return fail("the first handshake");
  if (handshake(stranger, &by_server, &by_client, signature)) return fail("a client without the root was content");
  ERR_clear_error();
  handshake(client_side, &by_server, &by_client, signature);

  Work work[16] = {{0, 0}};
  pthread_t ids[16];
  const double start = now();
  for (int i = 0; i < threads && i < 16; i++) {
    work[i].count = count / threads;
    if (pthread_create(&ids[i], NULL, many, &work[i]) != 0) return fail("no thread");
  }
  long done = 0, wanted = 0;
  for (int i = 0; i < threads && i < 16; i++) {
    pthread_join(ids[i], NULL);
    done += work[i].done;
    wanted += work[i].count;
  }
  const double seconds = now() - start;
  if (done != wanted || wanted == 0) return fail("a handshake");
  printf("%-22s %-16s server sends %6lu, client %5lu bytes; %5ld handshakes, %6.0f per second\n", argv[5], signature, by_server,
         by_client, done, (double)done / seconds);
  if (argc > 7) SSL_CTX_up_ref(server_side); /* a leak on purpose, for those who look for leaks */
  SSL_CTX_free(server_side);
  SSL_CTX_free(client_side);
  SSL_CTX_free(stranger);
  server_side = client_side = stranger = NULL; /* what is still there is lost */
  return 0;
}
