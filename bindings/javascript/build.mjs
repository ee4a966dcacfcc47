// SPDX-License-Identifier: Apache-2.0
// usage: node build.mjs WASM_DIR OUT: the package in OUT/dist, the page in OUT/page/index.html; aioli-simd.wasm and
// aioli-scalar.wasm lie in WASM_DIR.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const [wasm, out] = process.argv.slice(2);
const here = new URL('.', import.meta.url).pathname;
const LARGEST = 60 * 1024; // of each module, compressed
mkdirSync(`${out}/dist`, { recursive: true });
mkdirSync(`${out}/page`, { recursive: true });

for (const variant of ['simd', 'scalar']) {
  const name = `aioli-${variant}.wasm`, module = readFileSync(`${wasm}/${name}`);
  const compressed = gzipSync(module, { level: 9 }).length;
  console.log(`${name}: ${module.length} bytes, ${compressed} compressed`);
  if (compressed > LARGEST) throw new Error(`${name} has more than ${LARGEST} bytes compressed`);
  copyFileSync(`${wasm}/${name}`, `${out}/dist/${name}`);
}
const options = { bundle: true, target: 'es2022', legalComments: 'none', logLevel: 'warning' };
await build({ ...options, entryPoints: [`${here}src/aioli.ts`], format: 'esm', outfile: `${out}/dist/aioli.js` });
copyFileSync(`${here}package.json`, `${out}/package.json`);

// The page is one file: a page that was opened from a file may load neither modules nor scripts of workers from others.
const text = async (entry, extra) =>
  (await build({ ...options, ...extra, entryPoints: [entry], format: 'iife', minify: true, write: false })).outputFiles[0].text;
const worker = await text(`${here}page/worker.ts`, {
  loader: { '.wasm': 'binary' },
  alias: { 'wasm-simd': `${wasm}/aioli-simd.wasm`, 'wasm-scalar': `${wasm}/aioli-scalar.wasm` },
  define: { 'import.meta.url': '""' },
});
const script = await text(`${here}page/page.ts`, { define: { WORKER: JSON.stringify(worker) } });
const style = readFileSync(`${here}page/style.css`, 'utf8');
const hash = (content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const safe = script.replaceAll('</script', '<\\/script');
const policy =
  `default-src 'none'; script-src ${hash(safe)} 'wasm-unsafe-eval' blob:; worker-src blob:; style-src ${hash(style)}; ` +
  `base-uri 'none'; form-action 'none'`;
const page = readFileSync(`${here}page/index.html`, 'utf8')
  .replace('{{policy}}', () => policy)
  .replace('{{style}}', () => style)
  .replace('{{script}}', () => safe);
writeFileSync(`${out}/page/index.html`, page);
console.log(`page/index.html: ${page.length} bytes`);
