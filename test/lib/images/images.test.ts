import { describe, expect, it } from 'vitest';
import { imageFlaw } from '../../../src/lib/images/image-flaw.ts';
import { droppedImages, namedImages } from '../../../src/lib/images/image-paths.ts';
import { imageTypeOf } from '../../../src/lib/images/image-type.ts';

const imagePaths = (text: string) => namedImages(text).map(({ path }) => path);

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

  it('are meant to go along where an @ stands before them', () => {
    expect(namedImages('b.png and @a.png, then "c.png" and @c.png').map(({ isAttached }) => isAttached)).toEqual([
      false,
      true,
      true,
    ]);
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

/** Real images of one pixel. */
const ONE_PIXEL = {
  'image/png': 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'image/jpeg':
    '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA//9k=',
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'image/webp': 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
} as const;

describe.each(Object.entries(ONE_PIXEL))('an image of type %s', (key, base64) => {
  const type = key as keyof typeof ONE_PIXEL;
  const whole = Buffer.from(base64, 'base64');

  it('has no flaw, whatever follows its end', () => {
    expect(imageFlaw(whole, type)).toBeNull();
    expect(imageFlaw(Buffer.concat([whole, Buffer.alloc(100, 7)]), type)).toBeNull();
  });

  it('has one wherever it is cut off', () => {
    const end = type === 'image/gif' ? whole.length - 1 : whole.length;
    for (let length = 0; length < end; length += 1)
      expect(imageFlaw(whole.subarray(0, length), type), `${length} of ${whole.length} bytes`).not.toBeNull();
  });
});

it('of a GIF whose comment does not end is cut off', () => {
  const whole = Buffer.from(ONE_PIXEL['image/gif'], 'base64');
  const image = whole.indexOf(0x2c);
  const comment = Buffer.concat([whole.subarray(0, image), Buffer.from([0x21, 0xfe, 3, 1, 2, 3])]);
  expect(imageFlaw(comment, 'image/gif')).not.toBeNull();
  expect(imageFlaw(Buffer.concat([comment, Buffer.from([0]), whole.subarray(image)]), 'image/gif')).toBeNull();
});

it.each<[keyof typeof ONE_PIXEL, number, (bytes: Buffer, at: number) => void]>([
  ['image/png', 16, (bytes, at) => bytes.writeUInt32BE(12_000, at)],
  ['image/gif', 8, (bytes, at) => bytes.writeUInt16LE(12_000, at)],
  ['image/webp', 26, (bytes, at) => bytes.writeUInt16LE(12_000, at)],
  [
    'image/jpeg',
    Buffer.from(ONE_PIXEL['image/jpeg'], 'base64').indexOf('ffc2', 'hex') + 5,
    (bytes, at) => bytes.writeUInt16BE(12_000, at),
  ],
])('%s of more pixels than providers take says so', (type, at, write) => {
  const bytes = Buffer.from(ONE_PIXEL[type], 'base64');
  write(bytes, at);
  expect(imageFlaw(bytes, type)).toMatch(/12000/);
});

describe('what is dropped on a terminal', () => {
  it.each([
    ['/tmp/a.png', ['/tmp/a.png']],
    ["'/tmp/my shot.png' ", ['/tmp/my shot.png']],
    ['/tmp/my\\ shot.png', ['/tmp/my shot.png']],
    ['file:///tmp/my%20shot.png\r\nfile:///tmp/b.JPG', ['/tmp/my shot.png', '/tmp/b.JPG']],
    ['~/a.png /tmp/b.webp', ['~/a.png', '/tmp/b.webp']],
  ])('%j are images', (text, paths) => {
    expect(droppedImages(text)).toEqual(paths);
  });

  it.each([
    '',
    'logo.png',
    'see /tmp/a.png',
    '/tmp/a.png is wrong',
    '/tmp/a.pdf',
    'https://example.org/a.png',
    'file:///tmp/%zz.png',
    '/tmp/a.png\nnot an image',
  ])('%j is text', (text) => {
    expect(droppedImages(text)).toBeNull();
  });
});
