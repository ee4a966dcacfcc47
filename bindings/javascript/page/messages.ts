// SPDX-License-Identifier: Apache-2.0
// What the page asks of its worker, and the answers.
export type Request =
  | { op: 'about' }
  | { op: 'verify'; file: File; signature: File; key: File }
  | { op: 'sign'; file: File; key: File; comment: string }
  | { op: 'generate'; algorithm: string };

export interface Answers {
  about: { version: string; variant: string; algorithms: { name: string; publicKeyBytes: number; signatureBytes: number }[] };
  verify: { valid: boolean; reason: string; algorithm: string; key: string; comment?: string };
  sign: { text: string; algorithm: string; key: string };
  generate: { secret: string; open: string; key: string };
}
export type Reply =
  | { id: number; progress: number }
  | { id: number; answer: Answers[keyof Answers] }
  | { id: number; error: string };
