// SPDX-License-Identifier: Apache-2.0
// The page in Chromium, opened from its file and without a network, by clicks, by the keyboard, and with files of the command
// line.  With AIOLI_SCREENSHOTS=DIR it leaves pictures there.  AIOLI_PAGE_BYTES: the size of the large file.
import assert from 'node:assert/strict';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { cli, inScratch, OUT } from './support.mjs';

const LARGE = Number(process.env.AIOLI_PAGE_BYTES ?? 1 << 30), pictures = process.env.AIOLI_SCREENSHOTS;
let browser;
before(async () => {
  const executablePath = process.env.AIOLI_CHROMIUM ?? '/usr/bin/chromium-headless-shell';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
});
after(() => browser?.close());

async function onPage(use, options = {}) {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 800, height: 1000 }, ...options });
  const page = await context.newPage(), asked = [], errors = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await context.setOffline(true);
  try {
    await page.goto(pathToFileURL(`${OUT}/page/index.html`).href);
    await page.locator('html[data-ready=yes]').waitFor();
    const picture = async (name) => {
      if (!pictures) return;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
    };
    await use(page, picture);
    assert.deepEqual(errors, []);
    const foreign = asked.filter((url) => !/^(file:|blob:|data:)/.test(url));
    assert.deepEqual(foreign, [], 'the page asked for something');
  } finally {
    await context.close();
  }
}
async function saved(page, link, path) {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  await download.saveAs(path);
  return download.suggestedFilename();
}
const outcome = (page, form) => page.locator(`#${form}-outcome:not(.busy) h3`);

test('make a key, sign, check, by clicks, and the command line agrees', () =>
  inScratch((path) =>
    onPage(async (page, picture) => {
      await picture('1-empty');
      assert.match(await page.locator('#about').textContent(), /with SIMD/);
      await page.selectOption('#generate-algorithm', 'MAYO-2');
      await page.fill('#generate-name', 'alice');
      await page.click('#generate-go');
      assert.equal(await outcome(page, 'generate').textContent(), 'A new key');
      const links = page.locator('#generate-outcome a.download');
      assert.equal(await saved(page, links.nth(0), path('alice.key')), 'alice.key');
      assert.equal(await saved(page, links.nth(1), path('alice.pub')), 'alice.pub');

      writeFileSync(path('letter.txt'), 'pass the salt\n');
      await page.setInputFiles('#sign-file', path('letter.txt'));
      await page.setInputFiles('#sign-key', path('alice.key'));
      await page.fill('#sign-comment', 'the first letter');
      await page.click('#sign-go');
      assert.equal(await outcome(page, 'sign').textContent(), 'Signed');
      await picture('2-signed');
      const name = await saved(page, page.locator('#sign-outcome a.download'), path('letter.txt.sig'));
      assert.equal(name, 'letter.txt.sig');
      const told = cli('verify', '--key', path('alice.pub'), path('letter.txt'));
      assert.equal(told.status, 0, told.text);
      assert.match(told.text, /comment: the first letter/);

      const check = async () => {
        await page.click('#verify-go');
        return outcome(page, 'verify').textContent();
      };
      await page.setInputFiles('#verify-file', path('letter.txt'));
      await page.setInputFiles('#verify-signature', path('letter.txt.sig'));
      await page.setInputFiles('#verify-key', path('alice.pub'));
      assert.equal(await check(), 'The signature is valid');
      assert.match(await page.locator('#verify-outcome').textContent(), /the first letter/);
      await picture('3-valid');
      writeFileSync(path('changed.txt'), 'pass the sugar\n');
      await page.setInputFiles('#verify-file', path('changed.txt'));
      assert.equal(await check(), 'The signature is not valid');
      await picture('4-not-valid');
      await page.setInputFiles('#verify-key', path('alice.key'));
      assert.equal(await check(), 'That did not work');
      assert.match(await page.locator('#verify-outcome').textContent(), /secret key/);
      writeFileSync(path('passphrase'), 'correct horse\n');
      cli('keygen', '--out', path('sealed'), '--passphrase-file', path('passphrase'));
      await page.setInputFiles('#sign-key', path('sealed.key'));
      await page.click('#sign-go');
      await page.locator('#sign-outcome.problem').waitFor();
      assert.match(await page.locator('#sign-outcome').textContent(), /passphrase/);
    }),
  ));

test('files of the command line, dropped, in the dark', () =>
  inScratch((path) =>
    onPage(
      async (page, picture) => {
        writeFileSync(path('letter.txt'), 'pass the salt\n');
        cli('keygen', '--alg', 'MAYO-5', '--out', path('bob'));
        cli('sign', '--key', path('bob.key'), '--comment', 'of the command line', path('letter.txt'));
        const files = ['bob.pub', 'letter.txt', 'letter.txt.sig'].map((name) => [name, readFileSync(path(name), 'latin1')]);
        await page.evaluate((given) => {
          const data = new DataTransfer();
          for (const [name, text] of given)
            data.items.add(new File([Uint8Array.from(text, (c) => c.charCodeAt(0))], name));
          document.getElementById('verify').dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
        }, files);
        await page.click('#verify-go');
        assert.equal(await outcome(page, 'verify').textContent(), 'The signature is valid');
        assert.match(await page.locator('#verify-outcome').textContent(), /of the command line/);
        await picture('5-dark');
        const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(back, 'rgb(22, 24, 26)');
      },
      { colorScheme: 'dark' },
    ),
  ));

test('by the keyboard alone', () =>
  onPage(async (page) => {
    const focused = () => page.evaluate(() => document.activeElement?.id);
    const seen = [];
    for (let i = 0; i < 40 && (await focused()) !== 'generate-go'; i++) {
      await page.keyboard.press('Tab');
      seen.push(await focused());
    }
    for (const id of ['verify-file', 'verify-signature', 'verify-key', 'verify-go', 'sign-file', 'sign-key', 'sign-comment',
      'sign-go', 'generate-algorithm', 'generate-name', 'generate-go'])
      assert.ok(seen.includes(id), `${id} cannot be reached`);
    await page.keyboard.press('Enter');
    assert.equal(await outcome(page, 'generate').textContent(), 'A new key');
    assert.equal(await focused(), 'generate-go', 'the focus was lost');
    await page.keyboard.press('Tab');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /Save my.key/);
    await page.locator('#verify-go').focus();
    await page.keyboard.press('Enter');
    assert.equal(await outcome(page, 'verify').textContent(), 'That did not work');
    assert.equal(await focused(), 'verify-file', 'the focus is not where something is missing');
  }));

for (const colorScheme of ['light', 'dark'])
  test(`axe finds nothing, ${colorScheme}`, () =>
    onPage(
      async (page) => {
        await page.click('#generate-go');
        await outcome(page, 'generate').waitFor();
        await page.click('#verify-go');
        await outcome(page, 'verify').waitFor();
        const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
        await page.evaluate(axe);
        const { violations, passes } = await page.evaluate(() => globalThis.axe.run());
        assert.ok(passes.length > 10);
        assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' ')}`), []);
      },
      { colorScheme, bypassCSP: true },
    ));

test(`a file of ${LARGE} bytes does not freeze the page, and Stop stops`, { timeout: 300_000 }, () =>
  inScratch((path) =>
    onPage(async (page, picture) => {
      const out = createWriteStream(path('large')), piece = Buffer.alloc(1 << 22, 'salt');
      for (let done = 0; done < LARGE; done += piece.length)
        if (!out.write(piece.subarray(0, Math.min(piece.length, LARGE - done)))) await once(out, 'drain');
      out.end();
      await once(out, 'finish');
      cli('keygen', '--alg', 'MAYO-1', '--out', path('carol'));
      assert.equal(cli('sign', '--key', path('carol.key'), path('large')).status, 0);
      await page.setInputFiles('#verify-file', path('large'));
      await page.setInputFiles('#verify-signature', path('large.sig'));
      await page.setInputFiles('#verify-key', path('carol.pub'));
      // How long the page's thread was away, at worst, and what the bar showed.
      await page.evaluate(() => {
        globalThis.longest = 0;
        globalThis.shown = new Set();
        let last = performance.now();
        setInterval(() => {
          const now = performance.now();
          globalThis.longest = Math.max(globalThis.longest, now - last);
          last = now;
          globalThis.shown.add(document.getElementById('verify-progress').value);
        }, 20);
      });
      await page.click('#verify-go');
      await page.waitForFunction(() => document.getElementById('verify-progress').position > 0.1);
      await picture('6-progress');
      await page.click('#verify-stop');
      assert.match(await page.locator('#verify-outcome.problem').textContent(), /Stopped/);
      const start = performance.now();
      await page.click('#verify-go');
      await page.locator('#verify-outcome.good').waitFor({ timeout: 280_000 });
      const seconds = (performance.now() - start) / 1000;
      const { longest, shown } = await page.evaluate(() => ({ longest: globalThis.longest, shown: globalThis.shown.size }));
      console.log(`${(LARGE / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s; the page was away for ${longest.toFixed(0)} ms`);
      assert.ok(shown > 10, `the bar moved ${shown} times only`);
      assert.ok(longest < 1000, `the page froze for ${longest} ms`);
    }),
  ));
