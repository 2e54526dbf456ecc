import { createHmac } from 'node:crypto';
import { capText } from '../../lib/text/cap-text.ts';

const SUMMARY_LENGTH = 500;

/**
 * What the log keeps of a text: sanitised first and cut afterwards, so that a cut never halves a secret into something the sanitiser
 * no longer knows. At most 500 characters, on one line.
 */
export function summarise(text: string, sanitise: (text: string) => string): string {
  return capText(sanitise(text).replace(/\s+/g, ' ').trim(), SUMMARY_LENGTH);
}

/**
 * HMAC-SHA-256 of the unsanitised original, in hexadecimal: whoever has the original and the key can show that it is the one,
 * and nobody without the key can try out guesses.
 */
export function digestOriginal(key: Uint8Array, original: string | Uint8Array): string {
  return createHmac('sha256', key).update(original).digest('hex');
}
