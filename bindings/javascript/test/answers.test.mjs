// SPDX-License-Identifier: Apache-2.0
// The published known answers of every set on both modules, and signatures that must be refused.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { AioliError, bytes, Drbg, load, SETS, VARIANTS, vectors } from './support.mjs';

const capitals = (array) => Buffer.from(array).toString('hex').toUpperCase();

function records(aioli, set) {
  const algorithm = aioli.algorithm(set), outer = new Drbg(Uint8Array.from({ length: 48 }, (_, i) => i));
  return Array.from({ length: 100 }, (_, count) => {
    const seed = outer.generate(48), message = outer.generate(33 * (count + 1)), inner = new Drbg(seed);
    const { publicKey, privateKey } = aioli.generateKey(set, { seed: inner.generate(algorithm.seedBytes) });
    const signature = aioli.sign(privateKey, message, { randomness: inner.generate(algorithm.randomnessBytes) });
    assert.equal(aioli.verify(publicKey, signature, message), true, `${set}, record ${count}`);
    const pk = aioli.exportKey('raw', publicKey), sk = aioli.exportKey('raw', privateKey);
    publicKey.destroy(), privateKey.destroy();
    return (
      `count = ${count}\nseed = ${capitals(seed)}\nmlen = ${message.length}\nmsg = ${capitals(message)}\npk = ${capitals(pk)}\n` +
      `sk = ${capitals(sk)}\nsmlen = ${signature.length + message.length}\nsm = ${capitals(signature)}${capitals(message)}\n`
    );
  });
}
const sha256 = (text) => createHash('sha256').update(text).digest('hex');

for (const variant of VARIANTS) {
  for (const set of SETS) {
    test(`known answers of ${set}, ${variant}`, async () => {
      const aioli = await load({ variant }), { record0, all100 } = vectors('mayo_digests.json').sets[set];
      assert.equal(aioli.variant, variant);
      const all = records(aioli, set);
      assert.equal(sha256(all[0]), record0);
      assert.equal(sha256(all.join('\n')), all100);
    });

    test(`negative vectors of ${set}, ${variant}`, async () => {
      const aioli = await load({ variant }), counts = { valid: 0, signature: 0, length: 0 };
      for (const { publicKey, tests } of vectors(`mayo_negative/${set}.json`).testGroups)
        for (const { tcId, msg, sig, result, error } of tests) {
          const verify = () => {
            const key = aioli.importKey('raw', bytes(publicKey), set, 'public');
            try {
              return aioli.verify(key, bytes(sig), bytes(msg));
            } finally {
              key.destroy();
            }
          };
          if (error === 'length') {
            assert.throws(verify, (e) => e instanceof AioliError && e.code === -3, `${set} ${tcId}`);
          } else {
            assert.equal(verify(), result === 'valid', `${set} ${tcId}`);
          }
          counts[result === 'valid' ? 'valid' : error]++;
        }
      for (const [kind, count] of Object.entries(counts)) assert.ok(count > 0, `no vector is ${kind}`);
    });
  }
}
