import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegularFile, readRegularFileSync } from '../../../src/lib/files/read-regular-file.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-regular-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const limits = { maxBytes: 10, links: 'followed' } as const;

describe.each([
  [
    'at once',
    (path: string, of: Parameters<typeof readRegularFile>[1]) => Promise.resolve(readRegularFileSync(path, of)),
  ],
  ['with a promise', readRegularFile],
])('a file is read %s', (_how, read) => {
  it('whole, up to its limit', async () => {
    writeFileSync(at('file'), '0123456789');
    expect(await read(at('file'), limits)).toEqual({ kind: 'file', bytes: Buffer.from('0123456789') });
    writeFileSync(at('empty'), '');
    expect(await read(at('empty'), limits)).toEqual({ kind: 'file', bytes: Buffer.alloc(0) });
    writeFileSync(at('file'), 'x'.repeat(300_000));
    expect(await read(at('file'), { ...limits, maxBytes: 300_000 })).toMatchObject({ kind: 'file' });
  });

  it('not where it is larger, whatever size it says', async () => {
    writeFileSync(at('file'), '0123456789a');
    expect(await read(at('file'), limits)).toEqual({ kind: 'refused', why: 'it is larger than 10 bytes' });
    // Its size is 0.
    expect(await read('/proc/self/maps', limits)).toEqual({ kind: 'refused', why: 'it is larger than 10 bytes' });
  });

  it('not through a link that is not to be followed', async () => {
    writeFileSync(at('file'), 'x');
    symlinkSync('file', at('link'));
    expect(await read(at('link'), limits)).toMatchObject({ kind: 'file' });
    expect(await read(at('link'), { ...limits, links: 'refused' })).toMatchObject({ why: 'it is a symbolic link' });
  });

  it('and is missing where nothing is', async () => {
    writeFileSync(at('file'), 'x');
    expect(await read(at('gone'), limits)).toEqual({ kind: 'missing' });
    expect(await read(at('file/below'), limits)).toEqual({ kind: 'missing' });
  });

  it.each<[string, () => void, RegExp]>([
    ['a pipe', () => execFileSync('mkfifo', [at('file')]), /a pipe, not a regular file/],
    ['a directory', () => mkdirSync(at('file')), /a directory, not a regular file/],
    ['a device without end', () => symlinkSync('/dev/zero', at('file')), /a device, not a regular file/],
    ['a terminal', () => symlinkSync('/dev/tty', at('file')), /a device|cannot be read|a socket/],
    [
      'the messages of the system',
      () => symlinkSync('/proc/kmsg', at('file')),
      /would have to wait|cannot be read|larger/,
    ],
    ['a link to itself', () => symlinkSync('file', at('file')), /a symbolic link/],
  ])('not where it is %s, and nothing is waited for', async (_what, make, why) => {
    make();
    expect(await read(at('file'), limits)).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(why) as string,
    });
  });

  it('not where it is a socket', async () => {
    const server = createServer().listen(at('file'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(await read(at('file'), limits)).toMatchObject({ why: 'it is a socket, not a regular file' });
    server.close();
  });
});
