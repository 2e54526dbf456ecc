/** A number and the offset of the byte after it; null if the bytes end or the number exceeds 2^53. */
export type VarintOutcome = { readonly value: number; readonly next: number } | null;

/** Git's offset encoding (ofs-delta, index version 4): 7 bits a byte, most significant first, each continuation adds one. */
export function readOffsetVarint(bytes: Buffer, at: number): VarintOutcome {
  let byte = bytes[at++];
  if (byte === undefined) return null;
  let value = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[at++];
    if (byte === undefined) return null;
    value = (value + 1) * 128 + (byte & 0x7f);
    if (!Number.isSafeInteger(value)) return null;
  }
  return { value, next: at };
}

export function writeOffsetVarint(value: number): Buffer {
  const bytes = [value & 0x7f];
  let rest = Math.floor(value / 128);
  while (rest > 0) {
    rest--;
    bytes.unshift(0x80 | (rest & 0x7f));
    rest = Math.floor(rest / 128);
  }
  return Buffer.from(bytes);
}

/** Git's size encoding (delta headers): 7 bits a byte, least significant first. */
export function readSizeVarint(bytes: Buffer, at: number): VarintOutcome {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = bytes[at++];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * scale;
    if (!Number.isSafeInteger(value)) return null;
    if ((byte & 0x80) === 0) return { value, next: at };
    scale *= 128;
  }
}
