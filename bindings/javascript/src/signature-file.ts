// SPDX-License-Identifier: Apache-2.0
// The signature file of the command line; docs/signature-file.md is its definition.

/** What is in a signature file. */
export interface SignatureFile {
  readonly algorithm: string;
  /** SHA-256 over name, zero byte and public key, in 64 hexadecimal digits. */
  readonly key: string;
  readonly comment?: string;
  readonly signature: Uint8Array;
}

/** A text that is no signature file; the message names the line. */
export class SignatureFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SignatureFileError';
  }
}

const MAGIC = 'aioli signature v1', MOST_BYTES = 8192, LINE = 64, MOST_COMMENT_BYTES = 1024;
const utf8 = new TextEncoder();

// Control characters, separators of lines and paragraphs, the byte-order mark, what changes the direction of writing, and halves
// of surrogate pairs, which are no characters.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|\p{Cs}/u;

/** What is wrong with a comment, or nothing. */
export function commentProblem(comment: string): string | undefined {
  if (comment === '') return 'the comment is empty';
  if (utf8.encode(comment).length > MOST_COMMENT_BYTES) return `the comment is longer than ${MOST_COMMENT_BYTES} bytes`;
  if (UNPRINTABLE.test(comment)) return 'the comment is not one line of printable text';
  return undefined;
}

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}
function fromBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : undefined; // stray bits and blanks are refused
  } catch {
    return undefined;
  }
}
export const toHex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');

function header(file: Omit<SignatureFile, 'signature'>): string {
  const comment = file.comment === undefined ? '' : `comment: ${file.comment}\n`;
  return `${MAGIC}\nalgorithm: ${file.algorithm}\nkey: sha256:${file.key}\n${comment}\n`;
}

/** The bytes that stand before the content of the file in what is signed. */
export function signedPrefix(file: Omit<SignatureFile, 'signature'>): Uint8Array {
  const text = utf8.encode(`aioli-file-signature\n${header(file)}`);
  const prefix = new Uint8Array(text.length + 1);
  prefix[0] = 0xff;
  prefix.set(text, 1);
  return prefix;
}

export function formatSignatureFile(file: SignatureFile): string {
  const lines = toBase64(file.signature).match(/.{1,64}/g) ?? [];
  return header(file) + lines.map((line) => line + '\n').join('');
}

/** Reads a signature file, strictly: for each content there is one text. `signatureBytes`: the length for an algorithm's name. */
export function parseSignatureFile(
  input: Uint8Array | string,
  signatureBytes: (algorithm: string) => number | undefined,
): SignatureFile {
  const bytes = typeof input === 'string' ? utf8.encode(input) : input;
  let number = 0;
  const malformed = (what: string) => new SignatureFileError(`line ${Math.max(number, 1)}: ${what}`);
  if (bytes.length > MOST_BYTES) throw malformed('the file is too large to be a signature file');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed('the file is not UTF-8 text');
  }
  if (text.includes('\r')) throw malformed('the file has carriage returns: its line ends were converted on the way');
  const lines = text.split('\n');
  const rest = lines.pop();
  const next = (): string => {
    number++;
    const line = lines.shift();
    if (line === undefined) throw malformed('the file is cut off');
    return line;
  };
  const field = (name: string): string => {
    const line = next();
    if (!line.startsWith(name)) throw malformed(`expected a line that starts with "${name}"`);
    return line.slice(name.length);
  };

  const magic = next();
  if (magic !== MAGIC)
    throw malformed(
      magic.startsWith('aioli signature v')
        ? 'a version of the format that this program does not know'
        : `the file does not start with "${MAGIC}"`,
    );
  const algorithm = field('algorithm: ');
  const size = signatureBytes(algorithm);
  if (size === undefined) throw malformed(`the algorithm "${algorithm.slice(0, 64)}" is not known here`);
  const key = field('key: sha256:');
  if (!/^[0-9a-f]{64}$/.test(key)) throw malformed('the key fingerprint is not 64 lower-case hexadecimal digits');
  let comment: string | undefined;
  if (lines[0]?.startsWith('comment: ')) {
    comment = field('comment: ');
    const problem = commentProblem(comment);
    if (problem !== undefined) throw malformed(problem);
  }
  if (next() !== '') throw malformed('expected the empty line that ends the header');
  const digits = Math.ceil(size / 3) * 4;
  let base64 = '';
  while (base64.length < digits) {
    const line = next(), wanted = Math.min(LINE, digits - base64.length);
    if (line.length !== wanted) throw malformed(`the line has ${line.length} characters where the signature has ${wanted}`);
    base64 += line;
  }
  const signature = fromBase64(base64);
  if (signature?.length !== size) throw malformed('the signature above is not in correct base64');
  if (lines.length > 0 || rest !== '') throw malformed('there is something after the signature');
  return { algorithm, key, ...(comment === undefined ? {} : { comment }), signature };
}
