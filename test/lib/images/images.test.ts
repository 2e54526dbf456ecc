import { describe, expect, it } from 'vitest';
import { imagePaths } from '../../../src/lib/images/image-paths.ts';
import { imageTypeOf } from '../../../src/lib/images/image-type.ts';

describe('the images that a message names', () => {
  it.each<[string, readonly string[]]>([
    ['what is in @shot.png', ['shot.png']],
    ['Compare a/b.JPG, c.webp and (d.gif).', ['a/b.JPG', 'c.webp', 'd.gif']],
    ["'/tmp/Screen Shot.png' what is it?", ['/tmp/Screen Shot.png']],
    ['@"my pictures/one two.png"', ['my pictures/one two.png']],
    [String.raw`/home/ada/one\ two.png please`, ['/home/ada/one two.png']],
    ['~/shot.png ~/shot.png', ['~/shot.png']],
    ['see https://example.org/a.png', []],
    ['the file shot.png.txt, a.pngs and .png', []],
    ['render(a.png)', []],
    ['no image here', []],
  ])('%s', (text, paths) => {
    expect(imagePaths(text)).toEqual(paths);
  });

  it('are found in a long text at once', () => {
    expect(imagePaths(`${'\\'.repeat(50_000)} ${'a'.repeat(200_000)} "${'b'.repeat(100_000)}`)).toEqual([]);
  });
});

describe('the type of an image', () => {
  it.each<[string, readonly number[], string | null]>([
    ['a PNG', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0], 'image/png'],
    ['a JPEG', [0xff, 0xd8, 0xff, 0xe0], 'image/jpeg'],
    ['a GIF', [...Buffer.from('GIF89a')], 'image/gif'],
    ['a WebP', [...Buffer.from('RIFF\x01\x02\x03\x04WEBPVP8 ')], 'image/webp'],
    ['another RIFF', [...Buffer.from('RIFF\x01\x02\x03\x04WAVEfmt ')], null],
    ['a key under the name of an image', [...Buffer.from('-----BEGIN OPENSSH')], null],
    ['nothing', [], null],
  ])('%s', (_what, bytes, type) => {
    expect(imageTypeOf(Uint8Array.from(bytes))).toBe(type);
  });
});
