// SPDX-License-Identifier: Apache-2.0
// MAYO signatures (round 3) for browsers and Node, with names like WebCrypto's.  docs/javascript.md is the manual.
import { AioliError, bytesOf, Engine, ERR_ARGUMENT, ERR_LENGTH, ERR_SIGNATURE, ERR_STATE } from './engine.js';
import { fetchModule, hasSimd, type Variant } from './load.js';
import { formatSignatureFile, parseSignatureFile, signedPrefix, commentProblem, toHex } from './signature-file.js';
import type { SignatureFile } from './signature-file.js';

export { AioliError } from './engine.js';
export { hasSimd } from './load.js';
export { SignatureFileError } from './signature-file.js';
export type { SignatureFile } from './signature-file.js';
export type { Variant } from './load.js';

export type Bytes = ArrayBuffer | ArrayBufferView;
/** Pieces of a message, for instance `blob.stream()` or a stream of node:fs. */
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array> | ReadableStream<Uint8Array>;

/** A parameter set; sizes are in bytes. */
export interface Algorithm {
  readonly name: string;
  readonly category: number;
  readonly publicKeyBytes: number;
  readonly privateKeyBytes: number;
  readonly seedBytes: number;
  readonly signatureBytes: number;
  readonly randomnessBytes: number;
  readonly digestBytes: number;
}
export interface KeyPair {
  readonly publicKey: Key;
  readonly privateKey: Key;
}
/** `spki` and `pkcs8` are DER, `pem` is the text of either, `raw` the bare key. */
export type KeyFormat = 'raw' | 'spki' | 'pkcs8' | 'pem';
export type KeyKind = 'public' | 'private';

export interface LoadOptions {
  /** Which of the modules; by default the one with SIMD128 where the engine has it. */
  variant?: Variant;
  /** A compiled module or its bytes, where they are not files beside this one. */
  module?: WebAssembly.Module | Bytes;
}

const PRIVATE_ACCESS = Symbol('aioli');
const DISPOSE: symbol = (Symbol as { dispose?: symbol }).dispose ?? Symbol.for('Symbol.dispose');

interface Held {
  engine: Engine;
  at: number;
  size: number;
}
// A private key that was forgotten is wiped when it is collected; that may be never, so call `destroy`.
const forgotten =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry<Held>((held) => held.engine.release(held.at, held.size));

/** A public or private key. Its bytes lie in the module's memory only; `destroy` wipes them. */
export class Key {
  readonly type: KeyKind;
  readonly algorithm: Algorithm;
  #held: Held | undefined;

  /** @internal */
  constructor(access: symbol, engine: Engine, type: KeyKind, algorithm: Algorithm, at: number, size: number) {
    if (access !== PRIVATE_ACCESS) throw new TypeError('keys come from generateKey and importKey');
    this.type = type;
    this.algorithm = algorithm;
    this.#held = { engine, at, size };
    forgotten?.register(this, this.#held, this);
    if (DISPOSE !== undefined) Object.defineProperty(this, DISPOSE, { value: () => this.destroy() });
  }
  /** @internal */
  held(access: symbol, engine: Engine): Held {
    if (access !== PRIVATE_ACCESS) throw new TypeError('the memory of keys is not for others');
    if (this.#held === undefined) throw new AioliError(ERR_STATE, 'the key was destroyed');
    if (this.#held.engine !== engine) throw new AioliError(ERR_ARGUMENT, 'the key belongs to another instance of the library');
    return this.#held;
  }
  /** Wipes the key. Calls with it fail from now on; a second time does nothing. */
  destroy(): void {
    if (this.#held === undefined) return;
    forgotten?.unregister(this);
    this.#held.engine.release(this.#held.at, this.#held.size);
    this.#held = undefined;
  }
  toJSON(): object {
    return { type: this.type, algorithm: this.algorithm.name };
  }
}

const HASH_BYTES = 256; // sizeof(aioli_hash)
const SECRET = 1, DER = 0, PEM = 1;

/** A message that comes in pieces. `digest`, once, ends it. */
export class Hash {
  #at: number | undefined;
  readonly algorithm: Algorithm;
  /** @internal */
  constructor(access: symbol, private readonly engine: Engine, algorithm: Algorithm, alg: number) {
    if (access !== PRIVATE_ACCESS) throw new TypeError('hashes come from hash()');
    this.algorithm = algorithm;
    this.#at = engine.allocate(HASH_BYTES);
    engine.status('aioli_hash_init', [this.#at, alg]);
  }
  #open(): number {
    if (this.#at === undefined) throw new AioliError(ERR_STATE, 'the hash has ended');
    return this.#at;
  }
  update(data: Bytes): this {
    this.engine.absorb(this.#open(), bytesOf(data, 'data'));
    return this;
  }
  digest(): Uint8Array {
    const at = this.#open(), size = this.algorithm.digestBytes;
    try {
      return this.engine.with((arena) => {
        const out = arena.room(size);
        this.engine.status('aioli_hash_final', [at, out, size]);
        return arena.get(out, size);
      });
    } finally {
      this.destroy();
    }
  }
  /** Wipes a hash that is not needed any more. */
  destroy(): void {
    if (this.#at !== undefined) this.engine.release(this.#at, HASH_BYTES);
    this.#at = undefined;
  }
}

/** The library. All calls but those on streams are synchronous; awaiting them does no harm. */
export class Aioli {
  /** The module that runs. */
  readonly variant: Variant;
  readonly version: string;
  readonly algorithms: readonly Algorithm[];
  readonly #engine: Engine;
  readonly #pointers = new Map<string, number>();

  /** @internal */
  constructor(access: symbol, module: WebAssembly.Module) {
    if (access !== PRIVATE_ACCESS) throw new TypeError('use load()');
    const engine = (this.#engine = new Engine(module));
    this.version = engine.text(engine.value('aioli_version'));
    this.variant = engine.text(engine.value('aioli_backend_active')) === 'wasm_simd128' ? 'simd' : 'scalar';
    this.algorithms = Array.from({ length: engine.value('aioli_alg_count') }, (_, i) => {
      const alg = engine.value('aioli_alg_at', i), size = (what: string) => engine.value(`aioli_${what}_bytes`, alg);
      const name = engine.text(engine.value('aioli_alg_name', alg));
      this.#pointers.set(name, alg);
      return Object.freeze({
        name,
        category: engine.value('aioli_alg_category', alg),
        publicKeyBytes: size('public_key'),
        privateKeyBytes: size('secret_key'),
        seedBytes: size('seed'),
        signatureBytes: size('signature'),
        randomnessBytes: size('randomness'),
        digestBytes: size('digest'),
      });
    });
  }

  /** The parameter set of a name, "MAYO-1" for instance. */
  algorithm(name: string): Algorithm {
    const found = this.algorithms.find((a) => a.name === name);
    if (found === undefined)
      throw new AioliError(-8, `no algorithm "${name}"; there are ${this.algorithms.map((a) => a.name).join(', ')}`);
    return found;
  }

  /** A new pair; from `seed` if it is given. One seed is for one parameter set. */
  generateKey(algorithm: string, options: { seed?: Bytes } = {}): KeyPair {
    const a = this.algorithm(algorithm), engine = this.#engine;
    const seed = options.seed === undefined ? undefined : exact(options.seed, a.seedBytes, 'seed');
    return this.#keep([a.publicKeyBytes, a.privateKeyBytes], ([pk, sk]) => {
      const out = [this.#pointer(a), pk!, a.publicKeyBytes, sk!, a.privateKeyBytes];
      if (seed === undefined) engine.status('aioli_keypair', [...out, 0]);
      else
        engine.with((arena) => engine.status('aioli_keypair_from_seed', [...out, arena.put(seed), seed.length, 0]));
      return { publicKey: this.#key('public', a, pk!), privateKey: this.#key('private', a, sk!) };
    });
  }

  /** The public key that belongs to a private one. */
  publicKey(privateKey: Key): Key {
    const { at, size } = this.#held(privateKey, 'private'), a = privateKey.algorithm;
    return this.#keep([a.publicKeyBytes], ([pk]) => {
      this.#engine.status('aioli_public_from_secret', [this.#pointer(a), pk!, a.publicKeyBytes, at, size, 0]);
      return this.#key('public', a, pk!);
    });
  }

  /** Signs. The signature is hedged with fresh randomness, unless `randomness` is given. */
  sign(privateKey: Key, data: Bytes, options: { randomness?: Bytes } = {}): Uint8Array {
    return this.signDigest(privateKey, this.#digestOf(privateKey, data), options);
  }
  /** Whether the signature is one of the data under the key. A signature of another length is an error. */
  verify(publicKey: Key, signature: Bytes, data: Bytes): boolean {
    exact(signature, this.#held(publicKey, 'public') && publicKey.algorithm.signatureBytes, 'signature');
    return this.verifyDigest(publicKey, signature, this.#digestOf(publicKey, data));
  }

  /** For messages in pieces: `hash(name).update(..).update(..).digest()`, then signDigest or verifyDigest. */
  hash(algorithm: string): Hash {
    const a = this.algorithm(algorithm);
    return new Hash(PRIVATE_ACCESS, this.#engine, a, this.#pointer(a));
  }
  /** The digest of a stream. `progress` is told how many bytes have been read. */
  async digest(algorithm: string, pieces: Pieces, options: { prefix?: Bytes; progress?: (bytes: number) => void } = {}) {
    const hash = this.hash(algorithm);
    try {
      if (options.prefix !== undefined) hash.update(options.prefix);
      let done = 0;
      for await (const piece of inPieces(pieces)) {
        hash.update(piece);
        options.progress?.((done += piece.length));
      }
      return hash.digest();
    } finally {
      hash.destroy();
    }
  }
  signDigest(privateKey: Key, digest: Bytes, options: { randomness?: Bytes } = {}): Uint8Array {
    const { at, size } = this.#held(privateKey, 'private'), a = privateKey.algorithm, engine = this.#engine;
    const d = exact(digest, a.digestBytes, 'digest');
    const R = options.randomness === undefined ? undefined : exact(options.randomness, a.randomnessBytes, 'randomness');
    return engine.with((arena) => {
      const out = arena.room(a.signatureBytes);
      const values = [this.#pointer(a), out, a.signatureBytes, arena.put(d), d.length, at, size, 0];
      engine.drawing(R, () => engine.status('aioli_sign_digest', values));
      return arena.get(out, a.signatureBytes);
    });
  }
  verifyDigest(publicKey: Key, signature: Bytes, digest: Bytes): boolean {
    const { at, size } = this.#held(publicKey, 'public'), a = publicKey.algorithm, engine = this.#engine;
    const s = exact(signature, a.signatureBytes, 'signature'), d = exact(digest, a.digestBytes, 'digest');
    return engine.with((arena) => {
      const values = [this.#pointer(a), arena.put(s), s.length, arena.put(d), d.length, at, size, 0];
      return engine.status('aioli_verify_digest', values, [ERR_SIGNATURE]) === 0;
    });
  }

  /** Reads a key. `raw` wants the algorithm's name and the kind; the other formats say both. */
  importKey(format: KeyFormat, data: Bytes | string, algorithm?: string, kind?: KeyKind): Key {
    const key = format === 'raw' ? this.#importRaw(data, algorithm, kind) : this.#importFile(format, data);
    const problem =
      algorithm !== undefined && key.algorithm.name !== algorithm
        ? `this is a key of ${key.algorithm.name}, not of ${algorithm}`
        : kind !== undefined && key.type !== kind
          ? `this is a ${key.type} key, not a ${kind} one`
          : undefined;
    if (problem === undefined) return key;
    key.destroy();
    throw new AioliError(ERR_ARGUMENT, problem);
  }
  exportKey(format: 'pem', key: Key): string;
  exportKey(format: 'raw' | 'spki' | 'pkcs8', key: Key): Uint8Array;
  exportKey(format: KeyFormat, key: Key): Uint8Array | string {
    const { at, size } = this.#held(key), engine = this.#engine;
    if (format === 'raw') return engine.memory().slice(at, at + size);
    const fits = { spki: 'public', pkcs8: 'private', pem: key.type }[format];
    if (fits !== key.type) throw new AioliError(ERR_ARGUMENT, `a ${key.type} key has no form ${format}`);
    const kind = key.type === 'private' ? SECRET : 0, encoding = format === 'pem' ? PEM : DER;
    const alg = this.#pointer(key.algorithm);
    return engine.with((arena) => {
      const room = engine.value('aioli_key_encoded_bytes_max', alg, kind, encoding), out = arena.room(room);
      const length = arena.room(4);
      engine.status('aioli_key_encode', [alg, kind, encoding, out, room, length, at, size, 0]);
      const bytes = arena.get(out, word(engine, length));
      return format === 'pem' ? new TextDecoder().decode(bytes) : bytes;
    });
  }

  /** SHA-256 over name, zero byte and public key, in hexadecimal: how the command line names a key. */
  async fingerprint(key: Key): Promise<string> {
    const publicKey = key.type === 'private' ? this.publicKey(key) : key;
    try {
      const name = new TextEncoder().encode(key.algorithm.name + '\0');
      const all = new Uint8Array(name.length + key.algorithm.publicKeyBytes);
      all.set(name), all.set(this.exportKey('raw', publicKey), name.length);
      return toHex(new Uint8Array(await subtle().digest('SHA-256', all)));
    } finally {
      if (publicKey !== key) publicKey.destroy();
    }
  }
  /** Signs a file as the command line does; the text is that of its signature file. The signature is verified before. */
  async signFile(
    privateKey: Key, pieces: Pieces, options: { comment?: string; progress?: (bytes: number) => void } = {},
  ): Promise<string> {
    if (options.comment !== undefined) {
      const problem = commentProblem(options.comment);
      if (problem !== undefined) throw new AioliError(ERR_ARGUMENT, problem);
    }
    const algorithm = this.#held(privateKey, 'private') && privateKey.algorithm.name;
    const publicKey = this.publicKey(privateKey);
    try {
      const comment = options.comment === undefined ? {} : { comment: options.comment };
      const head = { algorithm, key: await this.fingerprint(publicKey), ...comment };
      const digest = await this.digest(algorithm, pieces, { ...options, prefix: signedPrefix(head) });
      const signature = this.signDigest(privateKey, digest);
      if (!this.verifyDigest(publicKey, signature, digest))
        throw new Error('the signature that was made does not verify: the processor or the memory of this machine is not sound');
      return formatSignatureFile({ ...head, signature });
    } finally {
      publicKey.destroy();
    }
  }
  /** Reads a signature file; one that is malformed throws SignatureFileError. It verifies nothing. */
  parseSignatureFile(text: Uint8Array | string): SignatureFile {
    return parseSignatureFile(text, (name) => this.algorithms.find((a) => a.name === name)?.signatureBytes);
  }
  /** Verifies a signature file of the command line. Malformed ones throw; `reason` says why one is not valid. */
  async verifyFile(
    publicKey: Key, signatureFile: Uint8Array | string, pieces: Pieces, options: { progress?: (bytes: number) => void } = {},
  ): Promise<{ valid: true; file: SignatureFile } | { valid: false; reason: string; file: SignatureFile }> {
    this.#held(publicKey, 'public');
    const file = this.parseSignatureFile(signatureFile), a = publicKey.algorithm;
    const own = await this.fingerprint(publicKey), no = (reason: string) => ({ valid: false as const, reason, file });
    if (file.algorithm !== a.name) return no(`it is a signature of ${file.algorithm}, and the key is one of ${a.name}`);
    if (file.key !== own) return no(`it was made with the key sha256:${file.key}, and this is the key sha256:${own}`);
    const digest = await this.digest(a.name, pieces, { ...options, prefix: signedPrefix(file) });
    if (this.verifyDigest(publicKey, file.signature, digest)) return { valid: true, file };
    return no('the file, its signature or the comment was changed after signing');
  }

  #pointer(a: Algorithm): number {
    return this.#pointers.get(a.name)!;
  }
  #held(key: Key, kind?: KeyKind): Held {
    if (!(key instanceof Key)) throw new TypeError('this is no key');
    const held = key.held(PRIVATE_ACCESS, this.#engine);
    if (kind !== undefined && key.type !== kind)
      throw new AioliError(ERR_ARGUMENT, `this wants a ${kind} key, and got a ${key.type} one`);
    return held;
  }
  #key(type: KeyKind, a: Algorithm, at: number): Key {
    return new Key(PRIVATE_ACCESS, this.#engine, type, a, at, type === 'public' ? a.publicKeyBytes : a.privateKeyBytes);
  }
  // Memory that stays if `use` succeeds.
  #keep<T>(sizes: number[], use: (at: number[]) => T): T {
    const at: number[] = [];
    try {
      for (const size of sizes) at.push(this.#engine.allocate(size));
      return use(at);
    } catch (error) {
      at.forEach((place, i) => this.#engine.release(place, sizes[i]!));
      throw error;
    }
  }
  #digestOf(key: Key, data: Bytes): Uint8Array {
    this.#held(key);
    const bytes = bytesOf(data, 'data');
    return this.hash(key.algorithm.name).update(bytes).digest();
  }
  #importRaw(data: Bytes | string, algorithm?: string, kind?: KeyKind): Key {
    if (algorithm === undefined || (kind !== 'public' && kind !== 'private'))
      throw new TypeError('raw bytes do not say what they are: give the algorithm and "public" or "private"');
    const a = this.algorithm(algorithm);
    const bytes = exact(data as Bytes, kind === 'public' ? a.publicKeyBytes : a.privateKeyBytes, `${kind} key`);
    return this.#keep([bytes.length], ([at]) => {
      this.#engine.memory().set(bytes, at!);
      return this.#key(kind, a, at!);
    });
  }
  #importFile(format: KeyFormat, data: Bytes | string): Key {
    if (!['spki', 'pkcs8', 'pem'].includes(format)) throw new TypeError(`no format "${format}": raw, spki, pkcs8 or pem`);
    const engine = this.#engine, text = typeof data === 'string';
    const bytes = text ? new TextEncoder().encode(data) : bytesOf(data, 'a key file');
    const isPem = bytes[0] !== 0x30;
    if (isPem !== (format === 'pem')) throw new AioliError(-12, isPem ? 'this is no DER' : 'this is DER, not PEM');
    if (bytes.length > 1 << 16) throw new AioliError(-12, 'the file is too large to be a key');
    try {
      return engine.with((arena) => {
        const alg = arena.room(4), kind = arena.room(4), length = arena.room(4), key = arena.room(bytes.length);
        engine.status('aioli_key_decode', [arena.put(bytes), bytes.length, alg, kind, key, bytes.length, length, 0, 0]);
        const a = this.algorithm(engine.text(engine.value('aioli_alg_name', word(engine, alg))));
        const type = word(engine, kind) === SECRET ? 'private' : 'public', size = word(engine, length);
        if (format !== 'pem' && (format === 'pkcs8') !== (type === 'private'))
          throw new AioliError(ERR_ARGUMENT, `this is a ${type} key, which is not in the form ${format}`);
        return this.#keep([size], ([at]) => {
          engine.memory().copyWithin(at!, key, key + size);
          return this.#key(type, a, at!);
        });
      });
    } finally {
      if (text) bytes.fill(0); // the encoded copy; a string of the caller's nobody can wipe
    }
  }
}

const word = (engine: Engine, at: number): number => new DataView(engine.memory().buffer).getUint32(at, true);

function subtle(): SubtleCrypto {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error('signature files want SHA-256 of WebCrypto, which browsers have for https, localhost and files only');
  return crypto.subtle;
}

function exact(value: Bytes, size: number, what: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(value, what) as Uint8Array<ArrayBuffer>;
  if (bytes.length !== size) throw new AioliError(ERR_LENGTH, `the ${what} has ${bytes.length} bytes, and ${size} are wanted`);
  return bytes;
}

async function* inPieces(pieces: Pieces): AsyncGenerator<Uint8Array> {
  if ('getReader' in pieces && !(Symbol.asyncIterator in pieces)) {
    const reader = (pieces as ReadableStream<Uint8Array>).getReader();
    try {
      for (let r = await reader.read(); !r.done; r = await reader.read()) yield r.value;
    } finally {
      reader.releaseLock();
    }
  } else yield* pieces as AsyncIterable<Uint8Array>;
}

/** Loads the library: the module with SIMD128 where the engine has it, else the other. */
export async function load(options: LoadOptions = {}): Promise<Aioli> {
  const given = options.module;
  const module =
    given instanceof WebAssembly.Module
      ? given
      : given !== undefined
        ? await WebAssembly.compile(bytesOf(given, 'module') as Uint8Array<ArrayBuffer>)
        : await fetchModule(options.variant ?? (hasSimd() ? 'simd' : 'scalar'));
  return new Aioli(PRIVATE_ACCESS, module);
}
