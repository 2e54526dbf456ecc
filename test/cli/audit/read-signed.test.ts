import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ProjectDirs, UserDirs } from '../../../src/contracts/host-layout.ts';
import { readSigned } from '../../../src/cli/audit/read-signed.ts';
import { hostAnchor } from '../../../src/cli/supervisor/host/host-anchor.ts';
import { readAnchors, anchorHead } from '../../../src/host/signer/index.ts';
import { generateSigningKey } from '../../../src/host/signer/signing-key.ts';

const head = (entries: number) => ({ entries, head: entries.toString(16).padStart(64, '0') as never });

function scene() {
  const home = mkdtempSync(join(tmpdir(), 'fluffy-signed-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const user = { keys: join(home, 'keys'), trust: join(home, 'trust') } as unknown as UserDirs;
  const dirs = { id: 'p1', anchors: join(home, 'host', 'anchors.jsonl') } as unknown as ProjectDirs;
  const state = { nowMs: 0, pauses: [] as number[] };
  const anchor = hostAnchor(
    user,
    dirs,
    () => state.nowMs,
    (ms) => {
      state.pauses.push(ms);
      state.nowMs += ms;
      return Promise.resolve();
    },
  );
  return { user, dirs, anchor, state };
}

it('has no doubt, and makes no key, where nothing was ever signed', async () => {
  const { user, dirs } = scene();
  expect(await readSigned(user, dirs)).toMatchObject([{ anchors: [], doubt: null }]);
  expect(existsSync(user.keys)).toBe(false);
});

it.each<[string, (user: UserDirs, dirs: ProjectDirs) => void, RegExp]>([
  ['a line of nobody', (_, dirs) => appendFileSync(dirs.anchors, 'x\n'), /line 2/],
  ['a file that is too large', (_, dirs) => truncateSync(dirs.anchors, 65 * 1024 * 1024), /bytes/],
  ['the key gone', (user) => rmSync(user.keys, { recursive: true }), /the key that signed it is not/],
  [
    'no file but a directory',
    (_, dirs) => {
      rmSync(dirs.anchors);
      mkdirSync(dirs.anchors);
    },
    /not a regular file/,
  ],
])('doubts %s', async (_, spoil, reason) => {
  const { user, dirs, anchor } = scene();
  await anchor(head(1));
  expect((await readSigned(user, dirs))[0].doubt).toBeNull();
  spoil(user, dirs);
  expect((await readSigned(user, dirs))[0].doubt).toMatch(reason);
});

it('doubts anchors of another key', async () => {
  const { user, dirs, anchor } = scene();
  await anchor(head(1));
  rmSync(user.keys, { recursive: true });
  const other = scene();
  await other.anchor(head(1));
  expect((await readSigned(other.user, dirs))[0].doubt).toMatch(/line 1/);
});

it('signs four heads at once and no more than four in four seconds, the newest for all that waited', async () => {
  const { dirs, anchor, state, user } = scene();
  for (const entries of [1, 2, 3, 4]) await anchor(head(entries));
  expect(state.pauses).toEqual([]);
  const results = await Promise.all([anchor(head(5)), anchor(head(7)), anchor(head(6))]);
  for (const result of results) expect(result).toMatchObject({ kind: 'anchored', anchor: { entries: 7 } });
  expect(state.pauses).toEqual([4000]);
  expect((await readSigned(user, dirs))[0].anchors.map(({ entries }) => entries)).toEqual([1, 2, 3, 4, 7]);
});

it('keeps the file bounded, with its first anchor and its newest', async () => {
  const { dirs } = scene();
  const { key } = generateSigningKey();
  await anchorHead(dirs, head(1), key, 1);
  const line = readFileSync(dirs.anchors);
  // As if many had been signed already.
  appendFileSync(
    dirs.anchors,
    Buffer.concat(Array.from({ length: Math.ceil((1024 * 1024) / line.length) }, () => line)),
  );
  await anchorHead(dirs, head(2), key, 2);
  const [{ anchors, badLines }] = (await readAnchors(dirs, key.publicKey)).epochs;
  expect(badLines).toEqual([]);
  expect(anchors.length).toBeLessThan(600);
  expect([anchors[0]?.entries, anchors.at(-1)?.entries]).toEqual([1, 2]);
  expect(await anchorHead(dirs, head(1), key, 3)).toMatchObject({ kind: 'refused' });
});
