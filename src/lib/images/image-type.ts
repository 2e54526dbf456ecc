import type { ImageType } from '../../contracts/model/image.ts';

/** The image type by a file's first bytes, whatever its name; null if models do not accept it. Pure. */
export function imageTypeOf(bytes: Uint8Array): ImageType | null {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  return text.startsWith('RIFF') && text.slice(8) === 'WEBP' ? 'image/webp' : null;
}
