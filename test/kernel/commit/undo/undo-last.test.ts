import { describe, expect, it } from 'vitest';
import type { AuditInput } from '../../../../src/contracts/audit-entry.ts';
import type { EventBody } from '../../../../src/contracts/session/events.ts';
import { undoLast } from '../../../../src/kernel/commit/undo/undo-last.ts';
import type { UndoResult, Services } from '../../../../src/kernel/services.ts';
import type { Session } from '../../../../src/kernel/session/session.ts';

const COMMIT = 'c'.repeat(40);

async function undo(result: UndoResult | Error, over: { commits?: string[]; state?: string } = {}) {
  const audit: AuditInput[] = [];
  const events: EventBody[] = [];
  const snapshot = { undone: ['b'.repeat(40)] };
  let row = { commits: over.commits ?? ['a'.repeat(40), COMMIT], status: 'committed' };
  const services = {
    policy: () => ({ sanitizer: { patterns: [] } }),
    audit: { append: (entry: AuditInput) => void audit.push(entry) },
    anchor: () => Promise.resolve(),
    commits: {
      undo: () => {
        // What is about to happen is on record by now.
        expect(audit.at(-1)).toMatchObject({
          event_type: 'merge_intent',
          caller: 'user',
          metadata: { undoes: COMMIT },
        });
        return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
      },
    },
  } as unknown as Services;
  const session = {
    id: 's_1',
    mode: 'strict',
    state: over.state ?? 'idle',
    get row() {
      return row;
    },
    updateRow: (change: Partial<typeof row>) => void (row = { ...row, ...change }),
    snapshot,
    update: (change: Partial<typeof snapshot>) => void Object.assign(snapshot, change),
    save: () => undefined,
    emit: (event: EventBody) => void events.push(event),
  } as unknown as Session;
  const answer = await undoLast(services, session);
  return { answer, row, snapshot, events, records: audit.map(({ event_type }) => event_type) };
}

describe('/undo', () => {
  it('takes the last commit of the session back, and says and records so', async () => {
    const { answer, row, snapshot, events, records } = await undo({ kind: 'undone' });
    expect(snapshot.undone).toEqual(['b'.repeat(40), COMMIT]);
    expect(answer).toMatchObject({ outcome: 'undone', commit: COMMIT });
    expect(row).toEqual({ commits: ['a'.repeat(40)], status: 'committed' });
    expect(events).toMatchObject([{ type: 'notice', code: 'undone' }]);
    expect(records).toEqual(['merge_intent', 'merge_undone']);
  });

  it.each<[UndoResult | Error, string, string[]]>([
    [{ kind: 'conflict', paths: ['src/a.js'], reason: 'it was changed since' }, 'it was changed since', ['src/a.js']],
    [{ kind: 'unknown', reason: 'what it replaced is no longer kept' }, 'git revert', []],
    [{ kind: 'pending', reason: 'a lock' }, 'The next start of fluffy', []],
    [{ kind: 'failed', reason: 'disk full' }, 'disk full', []],
    [new Error('no backup'), 'no backup', []],
  ])('leaves everything as it is when it cannot be: %o', async (result, told, paths) => {
    const { answer, row, events, records } = await undo(result);
    expect(answer).toMatchObject({ outcome: 'refused', paths });
    expect(answer.message).toContain(told);
    expect(row.commits).toHaveLength(2);
    expect(events).toEqual([]);
    expect(records).toEqual(['merge_intent', 'merge_rejected']);
  });

  it.each([
    ['without a commit', { commits: [] }, 'no commit'],
    ['in the middle of a task', { state: 'code_writing' }, '/reset'],
  ])('does nothing %s', async (_, over, told) => {
    const { answer, records } = await undo({ kind: 'undone' }, over);
    expect(answer.outcome).toBe('refused');
    expect(answer.message).toContain(told);
    expect(records).toEqual([]);
  });
});
