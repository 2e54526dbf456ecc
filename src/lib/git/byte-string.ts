import { isAscii } from '../text/is-ascii.ts';

/**
 * Git's names are bytes without a defined encoding. A byte string holds each byte as one character (latin1), so that it compares, sorts and
 * round-trips like git's bytes, whatever the encoding of the name.
 */
export type ByteString = string & { readonly __brand: 'ByteString' };

/** A path or name as the rest of the program writes it (UTF-16), in git's bytes (UTF-8). */
export function toByteString(text: string): ByteString {
  return (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')) as ByteString;
}

export function byteStringOf(bytes: Buffer): ByteString {
  return bytes.toString('latin1') as ByteString;
}

/** For display only: invalid UTF-8 becomes replacement characters. */
export function fromByteString(bytes: ByteString): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}
