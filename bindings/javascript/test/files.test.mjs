// SPDX-License-Identifier: Apache-2.0
// Keys and signature files, shared with the command line in both directions.
import assert from 'node:assert/strict';
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { cli, inScratch, load, SETS, SignatureFileError, VARIANTS } from './support.mjs';

const content = Uint8Array.from({ length: 300_001 }, (_, i) => (i * 7) ^ (i >> 8));

for (const variant of VARIANTS)
  for (const set of SETS)
    test(`${set}, ${variant}: files of the command line, and ours for it`, () =>
      inScratch(async (path) => {
        const aioli = await load({ variant });
        writeFileSync(path('file'), content);

        assert.equal(cli('keygen', '--alg', set, '--out', path('theirs')).status, 0);
        assert.equal(cli('sign', '--key', path('theirs.key'), '--comment', 'grüße', path('file')).status, 0);
        const publicKey = aioli.importKey('pem', readFileSync(path('theirs.pub')), set, 'public');
        const signature = readFileSync(path('file.sig'));
        const check = (text) => aioli.verifyFile(publicKey, text, createReadStream(path('file')));
        const good = await check(signature);
        assert.deepEqual([good.valid, good.file.comment], [true, 'grüße']);
        const changed = signature.toString().replace('grüße', 'grüsse');
        const bad = await check(changed);
        assert.equal(bad.valid, false);
        assert.match(bad.reason, /changed after signing/);
        const otherKey = aioli.generateKey(set).publicKey;
        const foreign = await aioli.verifyFile(otherKey, signature, [content]);
        assert.match(foreign.reason, /made with the key/);

        const privateKey = aioli.importKey('pem', readFileSync(path('theirs.key')), set, 'private');
        const text = await aioli.signFile(privateKey, new Blob([content]).stream(), { comment: 'of JavaScript' });
        writeFileSync(path('file.sig'), text);
        const told = cli('verify', '--key', path('theirs.pub'), path('file'));
        assert.equal(told.status, 0, told.text);
        assert.match(told.text, /comment: of JavaScript/);
        writeFileSync(path('file'), content.subarray(1));
        assert.equal(cli('verify', '--key', path('theirs.pub'), path('file')).status, 1);

        const ours = aioli.generateKey(set);
        writeFileSync(path('ours.key'), aioli.exportKey('pem', ours.privateKey), { mode: 0o600 });
        writeFileSync(path('ours.pub'), aioli.exportKey('spki', ours.publicKey));
        assert.equal(cli('sign', '--key', path('ours.key'), path('file')).status, 0);
        const result = await aioli.verifyFile(ours.publicKey, readFileSync(path('file.sig')), [content.subarray(1)]);
        assert.equal(result.valid, true);
        assert.equal(cli('verify', '--key', path('ours.pub'), path('file')).status, 0);
        const shown = JSON.parse(cli('inspect', '--json', path('ours.pub')).text);
        assert.match(JSON.stringify(shown), new RegExp(await aioli.fingerprint(ours.privateKey)));
      }));

test('a key under a passphrase is said to be one', () =>
  inScratch(async (path) => {
    const aioli = await load();
    writeFileSync(path('passphrase'), 'correct horse\n');
    assert.equal(cli('keygen', '--out', path('k'), '--passphrase-file', path('passphrase')).status, 0);
    assert.throws(() => aioli.importKey('pem', readFileSync(path('k.key'))), (e) => e.code === -18);
  }));

test('signature files are read strictly', () =>
  inScratch(async (path) => {
    const aioli = await load();
    writeFileSync(path('file'), content);
    cli('keygen', '--alg', 'MAYO-2', '--out', path('k'));
    cli('sign', '--key', path('k.key'), '--comment', 'one', path('file'));
    const text = readFileSync(path('file.sig'), 'utf8'), lines = text.split('\n');
    const replaced = (i, line) => lines.map((old, j) => (i === j ? line : old)).join('\n');
    assert.equal(aioli.parseSignatureFile(text).comment, 'one');
    const wrong = {
      'cut off': text.slice(0, -1),
      'a line more': text + 'x\n',
      'a blank behind': text + ' ',
      'carriage returns': text.replaceAll('\n', '\r\n'),
      'another version': replaced(0, 'aioli signature v2'),
      'another magic': replaced(0, 'signature'),
      'unknown algorithm': replaced(1, 'algorithm: MAYO-4'),
      'capital digits': replaced(2, lines[2].toUpperCase().replace('KEY: SHA256', 'key: sha256')),
      'empty comment': replaced(3, 'comment: '),
      'a tab in the comment': replaced(3, 'comment: a\tb'),
      'text turned around': replaced(3, 'comment: a\u202eb'),
      'no empty line': lines.filter((line) => line !== '').join('\n') + '\n',
      'a long line': replaced(5, lines[5] + 'A'),
      'no base64': replaced(5, '*' + lines[5].slice(1)),
      'stray bits': text.replace(/.=\n$/, (end) => String.fromCharCode(end.charCodeAt(0) + 1) + end.slice(1)),
      'too large': text + 'A'.repeat(9000),
      'no UTF-8': Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
    };
    for (const [what, changed] of Object.entries(wrong)) {
      assert.notDeepEqual(changed, text, what);
      assert.throws(() => aioli.parseSignatureFile(changed), SignatureFileError, what);
      writeFileSync(path('file.sig'), changed);
      assert.equal(cli('verify', '--key', path('k.pub'), path('file')).status, 2, `the command line reads it: ${what}`);
    }
  }));
