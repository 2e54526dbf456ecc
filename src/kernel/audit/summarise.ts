import { createHmac } from 'node:crypto';
import { capText } from '../../lib/text/cap-text.ts';

const SUMMARY_LENGTH = 500;

/**
 * A text as the log keeps it: at most 500 characters on one line. It is sanitised first and cut afterwards, so that a
 * cut never leaves half a secret that the sanitiser no longer recognises.
 */
export function summarise(text: string, sanitise: (text: string) => string): string {
  return capText(sanitise(text).replace(/\s+/g, ' ').trim(), SUMMARY_LENGTH);
}

/**
 * HMAC-SHA-256 of the unsanitised original, in hexadecimal. With the original and the key one can prove that the text
 * is the original; without the key nobody can test guesses.
 */
export function digestOriginal(key: Uint8Array, original: string | Uint8Array): string {
  return createHmac('sha256', key).update(original).digest('hex');
}
