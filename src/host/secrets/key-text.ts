import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';

const MAX_KEY_LENGTH = 4_096;

/**
 * Checks that a key can be sent in a header: printable ASCII without spaces. One line end is removed, as files and pipes have it. The error never
 * quotes the text. Throws FluffyError `key_unusable`.
 */
export function checkKeyText(text: string, source: string): string {
  const key = text.replace(/\r?\n$/, '');
  if (key.length > 0 && key.length <= MAX_KEY_LENGTH && /^[!-~]+$/.test(key)) return key;
  throw new FluffyError({
    code: 'key_unusable',
    what: `The key from ${source} cannot be used`,
    why: key.length === 0 ? 'it is empty' : 'it is too long, or has spaces, line breaks or characters that no key has',
    fix: 'Copy only the whole key, and pass it to fluffy config set-key on standard input',
    exitCode: EXIT.usage,
  });
}
