import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ProjectDirs, UserDirs } from '../../../../src/contracts/host-layout.ts';
import { hostAnchor } from '../../../../src/cli/supervisor/host/host-anchor.ts';
import { HostChain, anchorFollowed } from '../../../../src/cli/supervisor/host/host-chain.ts';
import { auditChain } from '../../../kernel/audit/chain-fixture.ts';

const CHAIN = auditChain(20);
const OTHER = auditChain(20, () => ({ tool_name: 'fs.read' }));
const bodies = (from: number, to: number, chain = CHAIN) => chain.slice(from - 1, to).map(({ body }) => body ?? '');
const headAt = (entries: number, chain = CHAIN) => ({ entries, head: (chain[entries - 1]?.hash ?? '') as never });

function host() {
  const home = mkdtempSync(join(tmpdir(), 'fluffy-host-chain-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const user = { keys: join(home, 'keys'), trust: join(home, 'trust') } as unknown as UserDirs;
  const dirs = { id: 'p1', anchors: join(home, 'host', 'anchors.jsonl') } as unknown as ProjectDirs;
  const start = () => {
    const log = new HostChain(user, dirs);
    const anchor = anchorFollowed(
      log,
      hostAnchor(user, dirs, Date.now, () => Promise.resolve()),
    );
    return { log, anchor };
  };
  return { ...start(), start, dirs };
}

it('signs a head that the records lead to, and goes on from there after a restart', async () => {
  const { log, anchor, start } = host();
  await log.follow({ after: 0, records: bodies(1, 6) });
  expect(await anchor(headAt(6))).toMatchObject({ kind: 'anchored', anchor: { entries: 6 } });
  const again = start();
  expect(await again.log.position()).toEqual(headAt(6));
  expect(await again.log.follow({ after: 6, records: bodies(7, 9) })).toEqual({ kind: 'followed', entries: 9 });
  expect(await again.anchor(headAt(9))).toMatchObject({ kind: 'anchored', anchor: { entries: 9 } });
});

it('signs no number that no records lead to, so that later heads are still signed', async () => {
  const { log, anchor } = host();
  await log.follow({ after: 0, records: bodies(1, 6) });
  const huge = { ...headAt(6), entries: Number.MAX_SAFE_INTEGER };
  expect(await anchor(huge)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/6 records/) as string });
  expect(await anchor({ entries: 6, head: headAt(5).head })).toMatchObject({ kind: 'refused' });
  await log.follow({ after: 6, records: bodies(7, 7) });
  expect(await anchor(headAt(7))).toMatchObject({ kind: 'anchored' });
});

it.each<[string, number, string[], RegExp]>([
  ['a record left out', 6, bodies(8, 9), /record 7/],
  ['a record changed', 6, bodies(7, 8).map((body) => body.replace('src/a.js', 'src/b.js')), /record 8/],
  ['records of another log', 6, bodies(7, 8, OTHER), /record 7: not linked/],
  ['a log that began again', 0, bodies(1, 20, OTHER), /has followed 6 records/],
  ['no record', 6, ['{}'], /record 7/],
  ['no JSON', 6, ['x'], /record 7/],
])('does not follow %s, and keeps nothing of it', async (_what, after, records, reason) => {
  const { log } = host();
  await log.follow({ after: 0, records: bodies(1, 6) });
  expect(await log.follow({ after, records })).toMatchObject({
    kind: 'refused',
    reason: expect.stringMatching(reason) as string,
  });
  expect(await log.position()).toEqual(headAt(6));
});

it('goes on behind a spoiled line of the file of signed heads', async () => {
  const { log, anchor, start, dirs } = host();
  await log.follow({ after: 0, records: bodies(1, 6) });
  await anchor(headAt(6));
  appendFileSync(dirs.anchors, 'flipped\n');
  const again = start();
  expect(await again.log.position()).toEqual(headAt(6));
  await again.log.follow({ after: 6, records: bodies(7, 8) });
  expect(await again.anchor(headAt(8))).toMatchObject({ kind: 'anchored' });
});
