/** The text of these bytes, including a byte order mark, so that it can be written back unchanged; null if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** `offset` counts bytes from 0; line and column count characters from 1. */
export interface InvalidUtf8 {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** The first byte that is not UTF-8; null if all are valid. */
export function firstInvalidUtf8(bytes: Uint8Array): InvalidUtf8 | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    // A replacement character in the bytes themselves is valid.
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) {
      const before = text.slice(0, at);
      return { offset, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
    }
    offset += 3;
    from = at + 1;
  }
  return null;
}
