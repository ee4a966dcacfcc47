// SPDX-License-Identifier: Apache-2.0
// What the tests share. AIOLI_JS is what tools/wasm has built, AIOLI_CLI the command line.
import { execFileSync } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const OUT = process.env.AIOLI_JS, CLI = process.env.AIOLI_CLI;
if (!OUT || !CLI) throw new Error('run the tests by tools/wasm test');
export const { load, AioliError, SignatureFileError, hasSimd } = await import(`${OUT}/dist/aioli.js`);
export const VARIANTS = ['scalar', 'simd'];
export const SETS = ['MAYO-1', 'MAYO-2', 'MAYO-3', 'MAYO-5'];
export const vectors = (name) => JSON.parse(readFileSync(new URL(`../../../tests/vectors/${name}`, import.meta.url), 'utf8'));
export const bytes = (hex) => Uint8Array.from(Buffer.from(hex, 'hex'));
export const flipped = (array, at) => Uint8Array.from(array, (byte, i) => (i === at ? byte ^ 1 : byte));

/** Runs the command line; returns its exit status and what it printed. */
export function cli(...args) {
  try {
    return { status: 0, text: execFileSync(CLI, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }) };
  } catch (error) {
    return { status: error.status, text: error.stdout + error.stderr };
  }
}
export async function inScratch(use) {
  const directory = mkdtempSync(join(tmpdir(), 'aioli-js-'));
  try {
    return await use((name) => join(directory, name));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** NIST's AES-256 CTR_DRBG without derivation function, of which the published answers are made. */
export class Drbg {
  key = new Uint8Array(32);
  v = new Uint8Array(16);
  constructor(seed) {
    this.update(seed);
  }
  generate(n) {
    const out = this.blocks(Math.ceil(n / 16)).slice(0, n);
    this.update(new Uint8Array(48));
    return out;
  }
  blocks(count) {
    const all = new Uint8Array(16 * count);
    for (let b = 0; b < count; b++) {
      for (let i = 15; i >= 0 && ((this.v[i] = (this.v[i] + 1) & 255), this.v[i] === 0); i--); // plus one, with its carries
      const cipher = createCipheriv('aes-256-ecb', this.key, null).setAutoPadding(false);
      all.set(cipher.update(this.v), 16 * b);
    }
    return all;
  }
  update(data) {
    const next = this.blocks(3).map((byte, i) => byte ^ data[i]);
    this.key = next.slice(0, 32);
    this.v = next.slice(32);
  }
}
