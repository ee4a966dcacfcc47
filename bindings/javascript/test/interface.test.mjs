// SPDX-License-Identifier: Apache-2.0
// Wrong arguments, keys and their formats, streams, and what is left in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AioliError, flipped, hasSimd, load, SETS, VARIANTS } from './support.mjs';

const code = (number) => (error) => error instanceof AioliError && error.code === number;
const message = new TextEncoder().encode('pass the salt');

test('the module with SIMD is taken where there is SIMD', async () => {
  assert.equal((await load()).variant, hasSimd() ? 'simd' : 'scalar');
  assert.equal(hasSimd(), true); // of every Node that we support
});

for (const variant of VARIANTS) {
  const loaded = load({ variant });

  for (const set of SETS)
    test(`${set}, ${variant}: tampering and wrong lengths`, async () => {
      const aioli = await loaded, a = aioli.algorithm(set), { publicKey, privateKey } = aioli.generateKey(set);
      const signature = aioli.sign(privateKey, message);
      assert.equal(signature.length, a.signatureBytes);
      assert.equal(aioli.verify(publicKey, signature, message), true);
      assert.notDeepEqual(aioli.sign(privateKey, message), signature); // hedged
      for (const at of [0, signature.length >> 1, signature.length - 1])
        assert.equal(aioli.verify(publicKey, flipped(signature, at), message), false);
      assert.equal(aioli.verify(publicKey, signature, flipped(message, 3)), false);
      const other = aioli.generateKey(set);
      assert.equal(aioli.verify(other.publicKey, signature, message), false);
      for (const n of [-1, 1]) {
        const wrong = (size) => new Uint8Array(size + n);
        assert.throws(() => aioli.verify(publicKey, wrong(a.signatureBytes), message), code(-3));
        assert.throws(() => aioli.signDigest(privateKey, wrong(a.digestBytes)), code(-3));
        assert.throws(() => aioli.verifyDigest(publicKey, signature, wrong(a.digestBytes)), code(-3));
        assert.throws(() => aioli.sign(privateKey, message, { randomness: wrong(a.randomnessBytes) }), code(-3));
        assert.throws(() => aioli.generateKey(set, { seed: wrong(a.seedBytes) }), code(-3));
        assert.throws(() => aioli.importKey('raw', wrong(a.publicKeyBytes), set, 'public'), code(-3));
        assert.throws(() => aioli.importKey('raw', wrong(a.privateKeyBytes), set, 'private'), code(-3));
      }
    });

  test(`keys and formats, ${variant}`, async () => {
    const aioli = await loaded, { publicKey, privateKey } = aioli.generateKey('MAYO-2');
    for (const [format, key] of [['spki', publicKey], ['pkcs8', privateKey], ['pem', publicKey], ['pem', privateKey]]) {
      const file = aioli.exportKey(format, key), back = aioli.importKey(format, file, 'MAYO-2', key.type);
      assert.deepEqual(aioli.exportKey('raw', back), aioli.exportKey('raw', key));
    }
    assert.deepEqual(aioli.exportKey('raw', aioli.publicKey(privateKey)), aioli.exportKey('raw', publicKey));
    assert.throws(() => aioli.exportKey('pkcs8', publicKey), code(-2));
    assert.throws(() => aioli.importKey('spki', aioli.exportKey('pkcs8', privateKey)), code(-2));
    assert.throws(() => aioli.importKey('pem', aioli.exportKey('pem', publicKey), 'MAYO-1'), code(-2));
    assert.throws(() => aioli.importKey('pem', aioli.exportKey('pem', publicKey), undefined, 'private'), code(-2));
    assert.throws(() => aioli.importKey('pem', aioli.exportKey('pem', publicKey) + 'x'), code(-12));
    assert.throws(() => aioli.importKey('spki', aioli.exportKey('spki', publicKey).slice(0, -1)), code(-12));
    assert.throws(() => aioli.sign(publicKey, message), code(-2));
    assert.throws(() => aioli.verify(privateKey, new Uint8Array(239), message), code(-2));
    assert.throws(() => aioli.generateKey('MAYO-4'), code(-8));
    assert.throws(() => aioli.sign(privateKey, 'a string'), TypeError);
    const other = await load({ variant });
    assert.throws(() => other.sign(privateKey, message), code(-2));
    assert.equal(JSON.stringify(privateKey), '{"type":"private","algorithm":"MAYO-2"}');
    privateKey.destroy(), privateKey.destroy();
    assert.throws(() => aioli.sign(privateKey, message), code(-10));
    assert.throws(() => aioli.exportKey('raw', privateKey), code(-10));
  });

  test(`messages in pieces, ${variant}`, async () => {
    const aioli = await loaded, { publicKey, privateKey } = aioli.generateKey('MAYO-1');
    const long = Uint8Array.from({ length: 1_000_003 }, (_, i) => i * i);
    const hash = aioli.hash('MAYO-1').update(long.subarray(0, 1)).update(new DataView(long.buffer, 1));
    const digest = hash.digest();
    assert.throws(() => hash.digest(), code(-10));
    const seen = [];
    const blob = new Blob([long]);
    const streamed = await aioli.digest('MAYO-1', blob.stream(), { progress: (bytes) => seen.push(bytes) });
    assert.deepEqual(streamed, digest);
    assert.equal(seen.at(-1), long.length);
    assert.equal(aioli.verifyDigest(publicKey, aioli.sign(privateKey, long), digest), true);
    assert.equal(aioli.verify(publicKey, aioli.signDigest(privateKey, digest), long), true);
    assert.equal(aioli.verify(publicKey, aioli.sign(privateKey, new Uint8Array(0)), new Uint8Array(0)), true);
  });

  test(`nothing of a secret key is left in memory, ${variant}`, async () => {
    // The instance is caught where it is made: the library shows its memory to nobody.
    const Instance = WebAssembly.Instance;
    let memory;
    WebAssembly.Instance = class extends Instance {
      constructor(...args) {
        super(...args);
        memory = this.exports.memory;
      }
    };
    let aioli;
    try {
      aioli = await load({ variant });
    } finally {
      WebAssembly.Instance = Instance;
    }
    const found = (secret) => {
      let count = 0;
      const all = Buffer.from(memory.buffer);
      for (let at = all.indexOf(secret); at >= 0; at = all.indexOf(secret, at + 1)) count++;
      return count;
    };
    for (const set of SETS) {
      const seed = crypto.getRandomValues(new Uint8Array(aioli.algorithm(set).seedBytes));
      const { publicKey, privateKey } = aioli.generateKey(set, { seed });
      assert.equal(found(seed), 1, `${set}: the key itself, and no copy`);
      const signature = aioli.sign(privateKey, message);
      const copies = [aioli.importKey('pem', aioli.exportKey('pem', privateKey))];
      copies.push(aioli.importKey('pkcs8', aioli.exportKey('pkcs8', privateKey)));
      assert.equal(aioli.verify(publicKey, signature, message), true);
      assert.equal(found(seed), 3, `${set}: three keys`);
      assert.throws(() => aioli.importKey('pem', aioli.exportKey('pem', privateKey), 'MAYO-4'), AioliError);
      privateKey.destroy();
      for (const copy of copies) copy.destroy();
      assert.equal(found(seed), 0, `${set}: wiped`);
      for (let i = 0; i + 16 <= seed.length; i += 8) assert.equal(found(seed.subarray(i, i + 16)), 0, `${set}: a part is left`);
    }
  });
}
