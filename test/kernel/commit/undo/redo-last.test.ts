import { describe, expect, it } from 'vitest';
import { completed } from '../../../../src/kernel/commit/merge/settle-merge.ts';
import { redoLast } from '../../../../src/kernel/commit/undo/redo-last.ts';
import type { RedoResult } from '../../../../src/kernel/services.ts';
import { forNextTask } from '../../../../src/kernel/session/snapshot.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../../support/kernel/test-kernel.ts';

const OLDER = 'a'.repeat(40);
const COMMIT = 'c'.repeat(40);

async function redo(result: RedoResult | Error, options: TestKernelOptions = {}) {
  const kernel = testKernel({
    state: 'idle',
    snapshot: { undone: [OLDER, COMMIT] },
    ...options,
    commits: {
      redo: (commit) => {
        // What is about to happen is on record by now.
        expect(kernel.audit.durable.at(-1) ?? {}).toMatchObject({
          event_type: 'merge_intent',
          metadata: { redoes: commit },
        });
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
    },
  });
  const answer = await redoLast(kernel.services, kernel.session);
  return { ...kernel, answer };
}

describe('/redo', () => {
  it('makes the commit again that was undone last, and says so', async () => {
    const { answer, session, eventsOf } = await redo({ kind: 'redone' });
    expect(answer).toMatchObject({ outcome: 'redone', commit: COMMIT });
    expect(session.row).toMatchObject({ commits: [COMMIT], status: 'committed' });
    expect(session.snapshot.undone).toEqual([OLDER]);
    expect(eventsOf('notice')).toMatchObject([{ code: 'redone' }]);
  });

  it.each<[RedoResult | Error, string, string[]]>([
    [{ kind: 'conflict', paths: ['src/a.js'], reason: 'it was changed since' }, 'it was changed since', ['src/a.js']],
    [{ kind: 'unknown', reason: 'not kept' }, 'git cherry-pick', []],
    [{ kind: 'pending', reason: 'a lock' }, 'The next start of fluffy', []],
    [new Error('the content of a.js is missing'), 'is missing', []],
  ])('leaves everything as it is when it cannot be: %o', async (result, why, paths) => {
    const { answer, session, eventsOf } = await redo(result);
    expect(answer).toMatchObject({ outcome: 'refused', paths, message: expect.stringContaining(why) as string });
    expect([session.row.commits, session.snapshot.undone]).toEqual([[], [OLDER, COMMIT]]);
    expect(eventsOf('notice')).toEqual([]);
  });

  it.each<[string, TestKernelOptions, string]>([
    ['where nothing was undone', { snapshot: {} }, 'nothing to redo'],
    ['in the middle of a task', { state: 'code_writing' }, '/reset'],
  ])('does nothing %s', async (_, options, why) => {
    const { answer } = await redo(new Error('asked'), options);
    expect(answer).toMatchObject({ outcome: 'refused', message: expect.stringContaining(why) as string });
  });

  it('is over with the next commit, and not with the next task', async () => {
    const { session, services, workspace } = testKernel({ state: 'committing', snapshot: { undone: [COMMIT] } });
    expect(forNextTask(session.snapshot, 'next', 1).undone).toEqual([COMMIT]);
    await completed({ services, session, workspace }, 'd'.repeat(40), []);
    expect(session.snapshot.undone).toEqual([]);
  });
});
