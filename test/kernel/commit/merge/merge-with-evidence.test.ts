import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sha256 } from '../../../../src/contracts/ids.ts';
import { mergeWithEvidence } from '../../../../src/kernel/commit/merge/merge-with-evidence.ts';
import { ordinaryGitDirectories } from '../../../../src/lib/git/git-directories.ts';
import { openPreparedObjects } from '../../../../src/platform/git/prepared-objects.ts';
import { openRepository } from '../../../../src/platform/git/repository.ts';
import { busyRepositories } from '../../../support/merge-expectations.ts';
import { mergeWorld, prepare, SESSION } from '../../../support/merge-fixture.ts';
import type { RealRepository } from '../../../support/real-git.ts';

const setUp = busyRepositories();
const REF = 'refs/fluffy/evidence';

/** A session in another worktree, as far as this one notices it. */
interface Other {
  /** While this session has its evidence composed, and no lock yet. */
  readonly between?: (made: RealRepository, attempt: number) => void;
  /** While this session waits. */
  readonly meanwhile?: (made: RealRepository) => void;
}

async function merge(made: RealRepository, state: string, { between, meanwhile }: Other) {
  const { prepared } = await prepare(made, state, { 'src/app.js': { text: 'export const app = 3;\n' } });
  const kept = openPreparedObjects(state);
  let attempts = 0;
  const objects = {
    ...kept,
    add: async (...args: Parameters<typeof kept.add>) => {
      await kept.add(...args);
      attempts += 1;
      between?.(made, attempts);
    },
  };
  const clock = {
    nowMs: () => 0,
    monotonicMs: () => 0,
    sleep: () => Promise.resolve(meanwhile?.(made)),
  };
  const repository = openRepository(ordinaryGitDirectories(made.root));
  const evidence = { prepared, digest: 'e'.repeat(64) as Sha256, envelope: Buffer.from('{}\n') };
  const services = { ...mergeWorld(made.root, state), objects, clock };
  const outcome = await mergeWithEvidence(services, repository, SESSION, evidence).finally(() => repository.close());
  return { outcome, attempts, prepared };
}

const lockOf = (made: RealRepository, ref: string): string => join(made.root, `.git/${ref}.lock`);

function lock(made: RealRepository, ref: string): void {
  mkdirSync(dirname(lockOf(made, ref)), { recursive: true });
  writeFileSync(lockOf(made, ref), '');
}

test('another session that holds the lock of the evidence is waited for', async () => {
  const { made, state } = setUp();
  const { outcome, attempts } = await merge(made, state, {
    between: (_, attempt) => {
      if (attempt === 1) lock(made, REF);
    },
    meanwhile: () => rmSync(lockOf(made, REF)),
  });
  expect(outcome.kind).toBe('merged');
  expect(attempts).toBe(2);
});

test('evidence that another session has added meanwhile is kept', async () => {
  const { made, state } = setUp();
  const { outcome, prepared } = await merge(made, state, {
    between: (_, attempt) => {
      if (attempt === 1) made.git('update-ref', REF, 'HEAD');
    },
  });
  expect(outcome.kind).toBe('merged');
  expect(made.git('rev-parse', `${REF}^`).trim()).toBe(prepared.parent);
});

test.each([
  ['the evidence is never free', REF, 6],
  ['it is about the branch', 'refs/heads/main', 1],
])('it stays a conflict where %s', async (_, ref, expected) => {
  const { made, state } = setUp();
  const { outcome, attempts } = await merge(made, state, { between: (_made, n) => n === 1 && lock(made, ref) });
  expect(outcome.kind).toBe('conflict');
  expect(attempts).toBe(expected);
});
