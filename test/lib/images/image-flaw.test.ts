import { expect, it } from 'vitest';
import { imageFlaw } from '../../../src/lib/images/image-flaw.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const IMAGE_AT = 27;
const bytes = (...parts: number[][]): Buffer => Buffer.from(parts.flat());
const BEGIN = [0xff, 0xd8];
const FRAME = [0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0];
const SCAN = [0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0];
const END = [0xff, 0xd9];

it.each<readonly [string, 'image/gif' | 'image/jpeg', Buffer, boolean]>([
  ['a GIF', 'image/gif', GIF, true],
  ['a GIF without an image', 'image/gif', Buffer.from(GIF).fill(0x3b, IMAGE_AT, IMAGE_AT + 1), false],
  ['a GIF that ends within the head of its image', 'image/gif', GIF.subarray(0, IMAGE_AT + 4), false],
  ['a JPEG', 'image/jpeg', bytes(BEGIN, FRAME, SCAN, END), true],
  ['a JPEG with a marker that is filled up', 'image/jpeg', bytes(BEGIN, [0xff, 0xff], FRAME, SCAN, END), true],
  ['a JPEG with something else than a marker', 'image/jpeg', bytes(BEGIN, FRAME, [0], SCAN, END), false],
  ['a JPEG without a scan', 'image/jpeg', bytes(BEGIN, FRAME, END), false],
  ['a JPEG without an end', 'image/jpeg', bytes(BEGIN, FRAME, SCAN), false],
])('%s is whole, or not', (_what, type, image, isWhole) => {
  expect(imageFlaw(image, type) === null).toBe(isWhole);
});
