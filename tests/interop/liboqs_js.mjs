// SPDX-License-Identifier: Apache-2.0
//
// usage: node liboqs_js.mjs NODE_MODULES DIR: the part of @oqs/liboqs-js in the comparison; exchange.cpp says what lies in DIR.
// It has keys and signatures, but no files of them.  Prints a line for each check: set, check, pass or fail, what failed.

import crypto from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [modules, dir] = process.argv.slice(2);

// The package draws by randomFillSync of node:crypto.  With a tape, from that; null: from the system.
let tape = null;
const system = crypto.randomFillSync;
crypto.randomFillSync = (out) => {
  if (tape === null) return system(out);
  if (out.byteLength > tape.length) throw new Error(`${out.byteLength} bytes were drawn where ${tape.length} are left`);
  new Uint8Array(out.buffer, out.byteOffset, out.byteLength).set(tape.subarray(0, out.byteLength));
  tape = tape.subarray(out.byteLength);
  return out;
};

const oqs = await import(pathToFileURL(`${modules}/@oqs/liboqs-js/src/index.js`).href);

const equal = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0;
const flipped = (bytes, at) => {
  const copy = Uint8Array.from(bytes);
  copy[at] ^= 1;
  return copy;
};

function check(set, what, attempt) {
  let wrong;
  try {
    wrong = attempt();
  } catch (e) {
    wrong = String(e).replace(/\s+/g, ' ');
  }
  console.log([set, what, wrong === '' ? 'pass' : 'fail', wrong].join('\t'));
}

function accepts(sig, ...it) {
  try {
    return sig.verify(...it);
  } catch {
    return false;
  }
}

for (const line of readFileSync(`${dir}/sets`, 'utf8').trim().split('\n')) {
  const [set, name] = line.split(' ');
  const given = (suffix) => new Uint8Array(readFileSync(`${dir}/${set}.${suffix}`));
  const [message, ourSig, pk, sk] = ['msg', 'sig', 'pk', 'sk'].map(given);
  let sig;
  try {
    sig = await oqs[`create${name}`]();
  } catch (e) {
    console.log([set, 'same pair', 'fail', `no ${name}: ${String(e).split('\n')[0]}`].join('\t'));
    continue;
  }

  check(set, 'same pair', () => {
    tape = given('seed');
    const pair = sig.generateKeyPair();
    return equal(pair.publicKey, pk) && equal(pair.secretKey, sk) && tape.length === 0 ? '' : 'another pair from the same seed';
  });
  check(set, 'same signature', () => {
    tape = given('R');
    return equal(sig.sign(message, sk), ourSig) && tape.length === 0 ? '' : 'another signature from the same randomness';
  });
  tape = null;
  check(set, 'they verify', () => (sig.verify(message, ourSig, pk) ? '' : 'refused'));
  const changed = {
    'another message': [flipped(message, 3), ourSig],
    'another solution': [message, flipped(ourSig, 3)],
    'another salt': [message, flipped(ourSig, ourSig.length - 1)],
    'a shorter one': [message, ourSig.subarray(0, ourSig.length - 1)],
    'a longer one': [message, Uint8Array.from([...ourSig, 0])],
  };
  check(set, 'they refuse', () =>
    Object.keys(changed).filter((what) => accepts(sig, ...changed[what], pk)).map((what) => `accepts ${what}`).join('; '));

  const fresh = sig.generateKeyPair();
  writeFileSync(`${dir}/${set}.fresh.pk`, fresh.publicKey);
  writeFileSync(`${dir}/${set}.fresh.sk`, fresh.secretKey);
  writeFileSync(`${dir}/${set}.fresh.sig`, sig.sign(message, fresh.secretKey));
  sig.destroy();
}
