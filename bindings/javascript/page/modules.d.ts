// SPDX-License-Identifier: Apache-2.0
// What build.mjs puts in.
declare module 'wasm-simd' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module 'wasm-scalar' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare const WORKER: string;
