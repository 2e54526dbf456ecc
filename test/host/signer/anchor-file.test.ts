import { appendFile, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anchorHead, beginEpoch, readAnchors, signedThrough } from '../../../src/host/signer/index.ts';
import { writeAnchorLine } from '../../../src/host/signer/anchor-line.ts';
import { generateSigningKey } from '../../../src/host/signer/signing-key.ts';

const { key } = generateSigningKey();
const { key: otherKey } = generateSigningKey();
const hash = (digit: string): string => digit.repeat(64);

let home: string;
let dirs: { id: string; anchors: string };

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-anchors-'));
  dirs = { id: 'p1', anchors: join(home, 'host', 'anchors.jsonl') };
});

afterEach(async () => {
  await rm(home, { recursive: true });
});

const anchor = (entries: number, head: string, nowMs = 1_000) => anchorHead(dirs, { entries, head }, key, nowMs);
const read = async () => {
  const { epochs } = await readAnchors(dirs, key.publicKey);
  const { anchors, badLines, badTail } = epochs.at(-1) ?? epochs[0];
  return { anchors, badLines, badTail, epochs };
};

describe('anchorHead', () => {
  test('appends what readAnchors verifies, for the owner alone', async () => {
    await anchor(1, hash('a'), 10);
    await anchor(5, hash('b'), 20);
    expect(await read()).toMatchObject({
      anchors: [
        { project: 'p1', entries: 1, head: hash('a'), ts: 10 },
        { project: 'p1', entries: 5, head: hash('b'), ts: 20 },
      ],
      badLines: [],
    });
    expect((await stat(dirs.anchors)).mode & 0o777).toBe(0o600);
  });

  test('signs one head once', async () => {
    await anchor(5, hash('b'));
    const before = await readFile(dirs.anchors, 'utf8');
    expect(await anchor(5, hash('b'), 99)).toMatchObject({ kind: 'unchanged', anchor: { ts: 1_000 } });
    expect(await readFile(dirs.anchors, 'utf8')).toBe(before);
  });

  test.each([
    ['shorter', 4, hash('c')],
    ['empty', 0, hash('0')],
    ['other at the same length', 5, hash('c')],
  ])('refuses a log that is %s and writes nothing', async (_what, entries, head) => {
    await anchor(5, hash('b'));
    const before = await readFile(dirs.anchors, 'utf8');
    expect(await anchor(entries, head)).toMatchObject({ kind: 'refused' });
    expect(await readFile(dirs.anchors, 'utf8')).toBe(before);
  });

  test('writes over what a crash left behind the last line', async () => {
    await anchor(5, hash('b'));
    const size = (await stat(dirs.anchors)).size;
    await anchor(6, hash('c'));
    for (let cut = size + 1; cut < size + 40; cut += 7) {
      await truncate(dirs.anchors, cut);
      await anchor(7, hash('d'));
      const { anchors, badLines } = await read();
      expect({ entries: anchors.map(({ entries }) => entries), badLines }).toEqual({ entries: [5, 7], badLines: [] });
      await truncate(dirs.anchors, size);
    }
  });

  test('that grows large is written again with its first anchor and the newest; lines that are none stay', async () => {
    await anchor(1, hash('a'));
    await appendFile(dirs.anchors, 'not an anchor\n');
    const filler: string[] = [];
    for (let entries = 2; filler.join('').length < 1024 * 1024; entries += 50) {
      const lines = Array.from({ length: 50 }, (_, index) =>
        writeAnchorLine({ project: 'p1', entries: entries + index, head: hash('b'), ts: 1 }, key),
      );
      filler.push(...lines);
    }
    await appendFile(dirs.anchors, filler.join(''));
    const last = filler.length + 1;
    await anchor(last + 1, hash('c'));
    const { anchors, badLines } = await read();
    expect(anchors[0]).toMatchObject({ entries: 1, head: hash('a') });
    expect(anchors.at(-1)).toMatchObject({ entries: last + 1, head: hash('c') });
    expect(anchors.length).toBeLessThan(600);
    expect(badLines).toEqual([2]);
  }, 60_000);

  test('does not follow a link somebody laid', async () => {
    await anchor(1, hash('a'));
    await rm(dirs.anchors);
    await writeFile(join(home, 'victim'), 'precious');
    await symlink(join(home, 'victim'), dirs.anchors);
    await expect(anchor(2, hash('b'))).rejects.toThrow();
    await expect(read()).rejects.toThrow();
    expect(await readFile(join(home, 'victim'), 'utf8')).toBe('precious');
  });
});

describe('beginEpoch', () => {
  const { key: approver } = generateSigningKey();
  const begin = (entries: number, head: string | null) =>
    beginEpoch(dirs, { entries, head }, { approver, key, nowMs: 9 });

  test('lets a log go on that was refused, and keeps what was signed before', async () => {
    await anchor(900, hash('a'));
    expect(await anchor(5, hash('b'))).toMatchObject({ kind: 'refused' });
    expect(await begin(5, hash('b'))).toEqual({ epoch: 2, entries: 5, head: hash('b') });
    expect(await anchor(4, hash('d'))).toMatchObject({ kind: 'refused' });
    expect(await anchor(5, hash('c'))).toMatchObject({ kind: 'refused' });
    expect(await anchor(6, hash('c'))).toMatchObject({ kind: 'anchored', anchor: { epoch: 2, entries: 6 } });
    const { epochs } = await read();
    expect(epochs.map(({ anchors }) => anchors.map(({ entries }) => entries))).toEqual([[900], [6]]);
    expect(await signedThrough(dirs, key.publicKey)).toEqual({ epoch: 2, entries: 6, head: hash('c') });
  });

  test('signs the head that it began with, and no other of that length', async () => {
    await begin(5, hash('b'));
    expect(await anchor(5, hash('b'))).toMatchObject({ kind: 'anchored', anchor: { epoch: 2, entries: 5 } });
  });

  test('begins with the first record where nothing is left', async () => {
    await anchor(900, hash('a'));
    await begin(0, null);
    expect(await anchor(1, hash('b'))).toMatchObject({ kind: 'anchored' });
  });

  test.each<[string, (line: string) => string]>([
    ['a flipped character', (line) => line.replace('"entries":5', '"entries":4')],
    ['another approver', (line) => line.replace(approver.publicKey, otherKey.publicKey)],
    ['another epoch', (line) => line.replace('"epoch":2', '"epoch":3')],
  ])('does not begin with %s', async (_what, change) => {
    await anchor(900, hash('a'));
    await begin(5, hash('b'));
    await writeFile(dirs.anchors, change(await readFile(dirs.anchors, 'utf8')));
    expect(await read()).toMatchObject({ epochs: [{ badTail: [2] }] });
    expect(await anchor(6, hash('c'))).toMatchObject({ kind: 'refused' });
  });

  test('counts no head of an epoch before as one of its own', async () => {
    await begin(5, hash('b'));
    await appendFile(dirs.anchors, writeAnchorLine({ project: 'p1', entries: 7, head: hash('f'), ts: 1 }, key));
    expect(await read()).toMatchObject({ anchors: [], badTail: [2] });
  });
});

describe('a file of heads that cannot be used', () => {
  test.each([
    ['is no regular file', () => mkdir(dirs.anchors, { recursive: true }), 'it is not a regular file'],
    [
      'is larger than any that is written',
      async () => {
        await anchor(1, hash('a'));
        await truncate(dirs.anchors, 64 * 1024 * 1024 + 1);
      },
      'it has 67108865 bytes, more than fluffy ever writes',
    ],
  ])('%s: it is said, and no head counts', async (_what, make, unreadable) => {
    await make();
    expect(await readAnchors(dirs, key.publicKey)).toMatchObject({ epochs: [{ anchors: [] }], unreadable });
    await expect(signedThrough(dirs, key.publicKey)).rejects.toThrow(`${dirs.anchors} cannot be used: ${unreadable}`);
  });
});

describe('readAnchors', () => {
  test('no file is no anchor', async () => {
    expect(await read()).toMatchObject({ anchors: [], badLines: [] });
  });

  const good = { project: 'p1', entries: 9, head: hash('f'), ts: 1 };
  const tampered = (line: string, change: Record<string, unknown>): string =>
    `${JSON.stringify({ ...(JSON.parse(line) as object), ...change })}\n`;

  test.each([
    ['of another key', writeAnchorLine(good, otherKey)],
    ['of another key that claims to be ours', tampered(writeAnchorLine(good, otherKey), { key: key.publicKey })],
    ['of another project', writeAnchorLine({ ...good, project: 'p2' }, key)],
    ['with more entries than signed', tampered(writeAnchorLine(good, key), { entries: 10 })],
    ['with another head than signed', tampered(writeAnchorLine(good, key), { head: hash('e') })],
    ['with another time than signed', tampered(writeAnchorLine(good, key), { ts: 2 })],
    ['with a member nobody signed', tampered(writeAnchorLine(good, key), { extra: 1 })],
    ['without signature', tampered(writeAnchorLine(good, key), { signature: '' })],
    ['that is no JSON', 'nonsense\n'],
    ['that is nothing', '\n'],
    ['that is huge', `${'x'.repeat(100_000)}\n`],
    ['with NUL', '\0\0\0\n'],
  ])('a line %s counts for nothing and is reported', async (_what, line) => {
    await anchor(5, hash('b'));
    await appendFile(dirs.anchors, line);
    await appendFile(dirs.anchors, writeAnchorLine({ ...good, entries: 12 }, key));
    const { anchors, badLines, badTail } = await read();
    expect(anchors.map(({ entries }) => entries)).toEqual([5, 12]);
    // The later head makes up for it.
    expect({ badLines, badTail }).toEqual({ badLines: [2], badTail: [] });
    await appendFile(dirs.anchors, line);
    expect((await read()).badTail).toEqual([4]);
  });
});
