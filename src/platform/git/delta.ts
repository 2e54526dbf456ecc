import { readSizeVarint } from '../../lib/git/varint.ts';

/** Size of a delta's result, from its header; null if the header is malformed. */
export function deltaResultSize(delta: Buffer): number | null {
  const base = readSizeVarint(delta, 0);
  return base === null ? null : (readSizeVarint(delta, base.next)?.value ?? null);
}

/**
 * Applies a pack delta; null if it is malformed in any way: sizes that do not match, a copy from outside the base, an
 * instruction that exceeds the result. The caller has limited the result's size.
 */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | null {
  const baseSize = readSizeVarint(delta, 0);
  const resultSize = baseSize === null ? null : readSizeVarint(delta, baseSize.next);
  if (baseSize === null || resultSize === null || baseSize.value !== base.length) return null;
  const result = Buffer.alloc(resultSize.value);
  let at = resultSize.next;
  let written = 0;
  while (at < delta.length) {
    const opcode = delta[at++] ?? 0;
    if ((opcode & 0x80) === 0) {
      if (opcode === 0 || at + opcode > delta.length || written + opcode > result.length) return null;
      delta.copy(result, written, at, at + opcode);
      at += opcode;
      written += opcode;
      continue;
    }
    let offset = 0;
    let length = 0;
    for (let bit = 0; bit < 7; bit++) {
      if ((opcode & (1 << bit)) === 0) continue;
      const byte = delta[at++];
      if (byte === undefined) return null;
      if (bit < 4) offset += byte * 2 ** (8 * bit);
      else length += byte * 2 ** (8 * (bit - 4));
    }
    if (length === 0) length = 0x10000;
    if (offset + length > base.length || written + length > result.length) return null;
    base.copy(result, written, offset, offset + length);
    written += length;
  }
  return written === result.length ? result : null;
}
