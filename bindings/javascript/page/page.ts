// SPDX-License-Identifier: Apache-2.0
// The page: three forms, each of which asks the worker one thing.
import type { Answers, Reply, Request } from './messages.js';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

// ---- the worker -----------------------------------------------------------------------------------------------------------

interface Waiting {
  progress(bytes: number): void;
  done(answer: never): void;
  failed(error: Error): void;
}
const waiting = new Map<number, Waiting>();
let worker: Worker, next = 0;

// A worker of a page that was opened from a file must come from the page itself.
function start(): void {
  const url = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
  worker = new Worker(url);
  worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
    const one = waiting.get(data.id);
    if (one === undefined) return;
    if ('progress' in data) return one.progress(data.progress);
    waiting.delete(data.id);
    if ('error' in data) one.failed(new Error(data.error));
    else one.done(data.answer as never);
  });
  worker.addEventListener('error', (event) => stop(event.message || 'the worker of this page could not be started'));
}
// Ends whatever runs. The worker's memory goes, keys with it.
function stop(reason: string): void {
  worker.terminate();
  for (const one of waiting.values()) one.failed(new Error(reason));
  waiting.clear();
  start();
}
function ask<Op extends Request['op']>(
  request: Request & { op: Op }, progress: (bytes: number) => void = () => {},
): Promise<Answers[Op]> {
  return new Promise((done, failed) => {
    waiting.set(next, { progress, done, failed });
    worker.postMessage({ id: next++, request });
  });
}

// ---- what the forms share -------------------------------------------------------------------------------------------------

const sizeText = (bytes: number): string =>
  bytes < 1e6 ? `${bytes.toLocaleString('en')} bytes` : `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
const grouped = (hex: string): string => hex.match(/.{8}/g)!.join(' ');

function show(outcome: HTMLElement, kind: 'good' | 'bad' | 'problem' | 'busy', title: string, ...parts: (Node | string)[]): void {
  outcome.className = `outcome ${kind}`;
  const head = document.createElement('h3');
  head.textContent = title;
  outcome.replaceChildren(head, ...parts.map((part) => (typeof part === 'string' ? paragraph(part) : part)));
}
function paragraph(text: string): HTMLElement {
  const p = document.createElement('p');
  p.textContent = text;
  return p;
}
function facts(...pairs: [string, string][]): HTMLElement {
  const list = document.createElement('dl');
  for (const [name, value] of pairs) {
    const term = document.createElement('dt'), said = document.createElement('dd');
    term.textContent = name;
    said.textContent = value;
    list.append(term, said);
  }
  return list;
}
// Links of an outcome that is replaced give their memory back.
const links = new Map<HTMLElement, string[]>();
function forget(outcome: HTMLElement): void {
  links.get(outcome)?.forEach((url) => URL.revokeObjectURL(url));
  links.delete(outcome);
}
function download(outcome: HTMLElement, name: string, text: string, what: string): HTMLElement {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  links.set(outcome, [...(links.get(outcome) ?? []), url]);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.className = 'download';
  link.textContent = `Save ${name} (${what})`;
  return link;
}

/** A form whose button runs `work` with a progress bar and a way to stop. */
function form(name: string, work: (outcome: HTMLElement, progress: (bytes: number, of: number) => void) => Promise<void>): void {
  const outcome = element(`${name}-outcome`), bar = element<HTMLProgressElement>(`${name}-progress`);
  const running = element(`${name}-running`), button = element<HTMLButtonElement>(`${name}-go`);
  element<HTMLButtonElement>(`${name}-stop`).addEventListener('click', () => stop('Stopped.'));
  element<HTMLFormElement>(name).addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true'); // and not `disabled`, which would take the focus away
    forget(outcome);
    show(outcome, 'busy', 'Working …');
    running.hidden = false;
    bar.removeAttribute('value');
    try {
      await work(outcome, (bytes, of) => {
        bar.max = Math.max(of, 1);
        bar.value = bytes;
        bar.textContent = `${Math.floor((100 * bytes) / Math.max(of, 1))} %`;
      });
    } catch (error) {
      show(outcome, 'problem', 'That did not work', (error as Error).message);
    } finally {
      running.hidden = true;
      button.removeAttribute('aria-disabled');
    }
  });
}

function chosen(id: string, what: string): File {
  const file = element<HTMLInputElement>(id).files?.[0];
  if (file !== undefined) return file;
  element(id).focus();
  throw new Error(`Choose ${what} first.`);
}

// Files that are dropped on a form go to the field that their names speak of.
function takesDrops(name: string, fields: [RegExp, string][]): void {
  const target = element(name);
  const over = (on: boolean) => target.classList.toggle('over', on);
  target.addEventListener('dragover', (event) => (event.preventDefault(), over(true)));
  target.addEventListener('dragleave', () => over(false));
  target.addEventListener('drop', (event) => {
    event.preventDefault();
    over(false);
    for (const file of event.dataTransfer?.files ?? []) {
      const field = fields.find(([pattern]) => pattern.test(file.name))!;
      const one = new DataTransfer();
      one.items.add(file);
      element<HTMLInputElement>(field[1]).files = one.files;
    }
  });
}

// ---- the three forms ------------------------------------------------------------------------------------------------------

start();
form('verify', async (outcome, progress) => {
  const file = chosen('verify-file', 'the file that was signed');
  const signature = chosen('verify-signature', 'its signature');
  const key = chosen('verify-key', 'the public key of the signer');
  const made = await ask({ op: 'verify', file, signature, key }, (bytes) => progress(bytes, file.size));
  if (made.valid)
    show(
      outcome, 'good', 'The signature is valid',
      facts(
        ['File', `${file.name}, ${sizeText(file.size)}`], ['Algorithm', made.algorithm], ['Key', grouped(made.key)],
        ...(made.comment === undefined ? [] : ([['Comment', made.comment]] as [string, string][])),
      ),
      'The file is the one that was signed with this key. Whose key it is, this page cannot know: compare its fingerprint ' +
        'with one that you have from its owner.',
    );
  else show(outcome, 'bad', 'The signature is not valid', `${made.reason[0]!.toUpperCase()}${made.reason.slice(1)}.`);
});
form('sign', async (outcome, progress) => {
  const file = chosen('sign-file', 'the file to sign'), key = chosen('sign-key', 'your secret key');
  const comment = element<HTMLInputElement>('sign-comment').value;
  const made = await ask({ op: 'sign', file, key, comment }, (bytes) => progress(bytes, file.size));
  show(
    outcome, 'good', 'Signed',
    facts(['File', `${file.name}, ${sizeText(file.size)}`], ['Algorithm', made.algorithm], ['Key', grouped(made.key)]),
    download(outcome, `${file.name}.sig`, made.text, 'the signature'),
  );
});
form('generate', async (outcome) => {
  const algorithm = element<HTMLSelectElement>('generate-algorithm').value;
  const name = element<HTMLInputElement>('generate-name').value.trim();
  if (!/^[\w.-]{1,64}$/.test(name)) {
    element('generate-name').focus();
    throw new Error('A name has letters, digits, points, dashes and underscores only.');
  }
  const made = await ask({ op: 'generate', algorithm });
  show(
    outcome, 'good', 'A new key',
    facts(['Algorithm', algorithm], ['Key', grouped(made.key)]),
    download(outcome, `${name}.key`, made.secret, 'secret: keep it, show it to nobody'),
    download(outcome, `${name}.pub`, made.open, 'public: for everybody'),
    'The secret key is not encrypted. Put it under a passphrase with: aioli passphrase ' + name + '.key',
  );
});
takesDrops('verify', [[/\.sig$/i, 'verify-signature'], [/\.(pub|pem|der|key)$/i, 'verify-key'], [/./, 'verify-file']]);
takesDrops('sign', [[/\.(key|pem|der)$/i, 'sign-key'], [/./, 'sign-file']]);
for (const type of ['dragover', 'drop']) document.addEventListener(type, (event) => event.preventDefault());

ask({ op: 'about' }).then(
  ({ version, variant, algorithms }) => {
    element('about').textContent = `aioli ${version}, ${variant === 'simd' ? 'with' : 'without'} SIMD.`;
    element<HTMLSelectElement>('generate-algorithm').replaceChildren(
      ...algorithms.map(({ name, publicKeyBytes, signatureBytes }) => {
        const text = `${name}: public key ${publicKeyBytes} bytes, signature ${signatureBytes} bytes`;
        return new Option(text, name);
      }),
    );
    document.documentElement.dataset['ready'] = 'yes';
  },
  (error: Error) => (element('about').textContent = `This browser cannot run the page: ${error.message}`),
);
