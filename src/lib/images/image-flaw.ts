import { MAX_IMAGE_SIDE } from '../../contracts/model/image.ts';
import type { ImageType } from '../../contracts/model/image.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const CUT_OFF = 'the file is cut off or damaged';

/**
 * Why a provider would refuse an image of this type; null if no fault is found. All vendors refuse a truncated file, and with it each later request
 * of the conversation. Pure.
 */
export function imageFlaw(bytes: Buffer, type: ImageType): string | null {
  const size = READERS[type](bytes);
  if (size === null || size.width === 0 || size.height === 0) return CUT_OFF;
  if (size.width <= MAX_IMAGE_SIDE && size.height <= MAX_IMAGE_SIDE) return null;
  return `it has ${size.width} x ${size.height} pixels, and providers take at most ${MAX_IMAGE_SIDE} in width and height`;
}

/** null if the file is truncated. Data after the end is allowed: cameras put data there. */
const READERS: Readonly<Record<ImageType, (bytes: Buffer) => Size | null>> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
};

/** Signature, then chunks of length, name, data and checksum, from IHDR to IEND. */
function pngSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'IHDR' && at + 16 <= bytes.length)
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    hasData ||= name === 'IDAT';
    if (name === 'IEND') return hasData ? size : null;
  }
  return null;
}

/** Segments of marker and length up to the scan (FF DA), which extends to the end marker (FF D9). Thumbnails are inside segments. */
function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda) return bytes.indexOf(Buffer.from([0xff, 0xd9]), at) === -1 ? null : size;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= bytes.length)
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Header and colours, then blocks; at least one image must be complete. */
function gifSize(bytes: Buffer): Size | null {
  if (bytes.length < 13) return null;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let at = 13 + coloursLength(bytes[10] ?? 0);
  while (bytes[at] === 0x21) {
    const next = afterBlocks(bytes, at + 2);
    if (next === null) return null;
    at = next;
  }
  if (bytes[at] !== 0x2c || at + 10 > bytes.length) return null;
  return afterBlocks(bytes, at + 11 + coloursLength(bytes[at + 9] ?? 0)) === null ? null : size;
}

/** Size of a colour table; the highest bit says that there is one. */
function coloursLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** Skips blocks of a length and as many bytes, up to one of length 0. */
function afterBlocks(bytes: Buffer, start: number): number | null {
  for (let at = start; at < bytes.length; at += 1 + (bytes[at] ?? 0)) if (bytes[at] === 0) return at + 1;
  return null;
}

/** RIFF says how long the file is; the first chunk is one of three kinds. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}
