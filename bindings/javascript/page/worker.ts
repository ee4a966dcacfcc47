// SPDX-License-Identifier: Apache-2.0
// All that takes time, off the page's thread. Keys live here for one request and are wiped after it.
import scalar from 'wasm-scalar';
import simd from 'wasm-simd';
import { AioliError, hasSimd, load, SignatureFileError, type Aioli, type Key, type KeyKind } from '../src/aioli.js';
import type { Answers, Reply, Request } from './messages.js';

const library = load({ module: hasSimd() ? simd : scalar });
const reply = (message: Reply) => (self as unknown as { postMessage(m: Reply): void }).postMessage(message);
const LARGEST_KEY = 1 << 16;

async function keyOf(aioli: Aioli, file: File, kind: KeyKind): Promise<Key> {
  if (file.size > LARGEST_KEY) throw new Error(`${file.name} is too large to be a key file.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let key: Key;
  try {
    key = aioli.importKey(bytes[0] !== 0x30 ? 'pem' : kind === 'public' ? 'spki' : 'pkcs8', bytes);
  } catch (error) {
    if (error instanceof AioliError && error.code === -18)
      throw new Error(`${file.name} is under a passphrase. Take it off with: aioli passphrase --remove --out FILE ${file.name}`);
    throw new Error(`${file.name} cannot be read as a key: ${(error as Error).message}`);
  } finally {
    bytes.fill(0);
  }
  if (key.type === kind) return key;
  key.destroy();
  throw new Error(
    kind === 'public'
      ? `${file.name} is a secret key. To check a signature take the public one, and show the secret one to nobody.`
      : `${file.name} is a public key. To sign, the secret one is wanted.`,
  );
}

async function answer(request: Request, progress: (bytes: number) => void): Promise<Answers[keyof Answers]> {
  const aioli = await library;
  const keys: Key[] = [];
  const kept = (key: Key): Key => (keys.push(key), key);
  try {
    switch (request.op) {
      case 'about':
        return { version: aioli.version, variant: aioli.variant, algorithms: [...aioli.algorithms] };
      case 'verify': {
        const key = kept(await keyOf(aioli, request.key, 'public'));
        if (request.signature.size > LARGEST_KEY)
          throw new Error(`${request.signature.name} is too large to be a signature file.`);
        const text = new Uint8Array(await request.signature.arrayBuffer());
        try {
          const result = await aioli.verifyFile(key, text, request.file.stream(), { progress });
          const { algorithm, comment } = result.file;
          const reason = result.valid ? '' : result.reason;
          const shown = result.valid && comment !== undefined ? { comment } : {}; // a comment counts when it was verified
          return { valid: result.valid, reason, algorithm, key: await aioli.fingerprint(key), ...shown };
        } catch (error) {
          if (error instanceof SignatureFileError)
            throw new Error(`${request.signature.name} is no signature file: ${error.message}`);
          throw error;
        }
      }
      case 'sign': {
        const key = kept(await keyOf(aioli, request.key, 'private'));
        const comment = request.comment === '' ? {} : { comment: request.comment };
        const text = await aioli.signFile(key, request.file.stream(), { ...comment, progress });
        return { text, algorithm: key.algorithm.name, key: await aioli.fingerprint(key) };
      }
      default: {
        const { publicKey, privateKey } = aioli.generateKey(request.algorithm);
        kept(publicKey), kept(privateKey);
        return {
          secret: aioli.exportKey('pem', privateKey),
          open: aioli.exportKey('pem', publicKey),
          key: await aioli.fingerprint(publicKey),
        };
      }
    }
  } finally {
    for (const key of keys) key.destroy();
  }
}

self.addEventListener('message', (event: MessageEvent<{ id: number; request: Request }>) => {
  const { id, request } = event.data;
  let last = 0;
  const progress = (bytes: number) => {
    if (performance.now() - last < 50) return;
    last = performance.now();
    reply({ id, progress: bytes });
  };
  answer(request, progress).then(
    (made) => reply({ id, answer: made }),
    (error: unknown) => reply({ id, error: error instanceof Error ? error.message : String(error) }),
  );
});
