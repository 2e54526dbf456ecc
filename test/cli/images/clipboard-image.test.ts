import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { clipboardImage } from '../../../src/cli/images/clipboard-image.ts';
import { MAX_IMAGE_BYTES } from '../../../src/contracts/model/image.ts';

const folder = mkdtempSync(join(tmpdir(), 'fluffy-clipboard-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PNG = String.raw`\211PNG\r\n\032\n`;

/** A clipboard whose program does this, on a desktop with these variables. */
async function read(script: string | null, env: Record<string, string>, platform: NodeJS.Platform = 'linux') {
  const kept: Uint8Array[] = [];
  const asked: string[] = [];
  const find = (name: string) => {
    asked.push(name);
    if (script === null) return undefined;
    const program = join(folder, name);
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return program;
  };
  const keep = (png: Uint8Array) => Promise.resolve(`/pasted/${kept.push(png)}.png`);
  const image = await clipboardImage({ env, platform, find, keep });
  return { image, asked, kept: kept.map((png) => Buffer.from(png).toString('latin1')) };
}

const PRINTS = `printf '${PNG}%s' "$*"`;

it.each<[string, Record<string, string>, NodeJS.Platform, string, string]>([
  ['Wayland', { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, 'linux', 'wl-paste', '--no-newline --type image/png'],
  ['X11', { DISPLAY: ':0' }, 'linux', 'xclip', '-selection clipboard -target image/png -out'],
  ['macOS', {}, 'darwin', 'pngpaste', '-'],
])('the image of the clipboard of %s is kept as it is', async (_, env, platform, program, args) => {
  const { image, asked, kept } = await read(PRINTS, env, platform);
  expect(image).toEqual({ kind: 'saved', path: '/pasted/1.png' });
  expect([asked, kept]).toEqual([[program], [`\x89PNG\r\n\x1a\n${args}`]]);
});

it.each<[string, string | null, Record<string, string>, RegExp]>([
  ['has text', 'echo hello', { DISPLAY: ':0' }, /^The clipboard has no image\./],
  ['cannot be read', 'exit 1', { DISPLAY: ':0' }, /^The clipboard has no image\./],
  [
    'has an image that is too large',
    `head -c ${MAX_IMAGE_BYTES + 1} /dev/zero`,
    { DISPLAY: ':0' },
    /more than 3700000 bytes\./,
  ],
  [
    'wants a program that is missing',
    null,
    { WAYLAND_DISPLAY: 'w' },
    /^wl-paste reads images from the clipboard: install wl-clipboard\./,
  ],
  ['is on another machine', PRINTS, {}, /^There is no clipboard with images here\./],
])('where it %s, nothing is kept, and the other way is named', async (_, script, env, why) => {
  const { image, kept } = await read(script, env);
  expect(kept).toEqual([]);
  expect(image).toEqual({ kind: 'none', why: expect.stringMatching(why) as string });
  expect(image).toEqual({ kind: 'none', why: expect.stringMatching(/write @~\/picture\.png\.$/) as string });
});
