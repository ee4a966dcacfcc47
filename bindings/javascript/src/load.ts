// SPDX-License-Identifier: Apache-2.0
// Finds, compiles and chooses the WebAssembly module.

// The smallest module with an instruction of SIMD128: a function that makes a zero vector and drops it.
const SIMD = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
]);

/** Whether this engine has SIMD128. Modules that use it do not even load elsewhere. */
export const hasSimd = (): boolean => WebAssembly.validate(SIMD);

export type Variant = 'simd' | 'scalar';

/** The module that lies beside this file, as aioli-simd.wasm or aioli-scalar.wasm. */
export async function fetchModule(variant: Variant): Promise<WebAssembly.Module> {
  const url =
    variant === 'simd' ? new URL('./aioli-simd.wasm', import.meta.url) : new URL('./aioli-scalar.wasm', import.meta.url);
  if (url.protocol === 'file:') {
    const files = 'node:fs/promises'; // not for bundlers
    const { readFile } = (await import(files)) as { readFile(path: URL): Promise<Uint8Array<ArrayBuffer>> };
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
