import { describe, expect, it } from 'vitest';
import type { Commits, CommitResult, PrepareResult } from '../../../src/kernel/services.ts';
import { forNextTask } from '../../../src/kernel/session/snapshot.ts';
import { proposeCommit } from '../../../src/kernel/commit/propose-commit.ts';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import type { Cases } from '../../support/kernel/node-test-report.ts';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const HEAD = '1'.repeat(40);
const COMMIT = 'c'.repeat(40);
const MESSAGE = 'Change a';
const PREPARED: PrepareResult = { kind: 'prepared', message: MESSAGE, diff: '+2\n', findings: [] };

interface Scene extends TestKernelOptions {
  /** Commits that the branch is at, each time it is looked at; the last one stays. */
  readonly heads?: readonly string[];
  readonly branch?: string;
  readonly merges?: readonly CommitResult[];
  readonly prepares?: readonly PrepareResult[];
  /** Outcome of the suite when it runs again. */
  readonly cases?: Cases;
  /** The same on the head alone; default: all pass. */
  readonly onHead?: Cases;
  readonly staleGreen?: boolean;
}

const HELD = {
  observations: (['removal', 'plain', 'old_tests'] as const).map((observation) => ({
    observation,
    outcome: 'held' as const,
    detail: '',
    duration_ms: 1,
  })),
  findings: [],
};

/** A session in reviewing whose tests have passed on HEAD; red was seen, so policy approves by itself. */
async function scene(given: Scene) {
  const {
    heads = [HEAD],
    merges = [],
    prepares = [],
    cases = { works: true },
    onHead = { works: true },
    branch = 'main',
    ...options
  } = given;
  const queue = { heads: [...heads], merges: [...merges], prepares: [...prepares] };
  const shift = <T>(list: T[], fallback: T): T => (list.length > 1 ? (list.shift() as T) : (list[0] ?? fallback));
  const log: string[] = [];
  const commits: Partial<Commits> = {
    base: () => Promise.resolve({ kind: 'ok', branch, head: shift(queue.heads, HEAD) }),
    prepare: (session) => {
      log.push(`prepare on ${session.snapshot.base?.head.slice(0, 1) ?? '?'}`);
      return Promise.resolve(shift(queue.prepares, PREPARED));
    },
    merge: (_session, { base }) => {
      log.push(`merge on ${base.slice(0, 1)}`);
      return Promise.resolve(queue.merges.shift() ?? { kind: 'committed', commit: COMMIT });
    },
  };
  const kernel = testKernel({
    state: 'reviewing',
    files: { 'a.js': '1', 'test/a.test.js': 'old' },
    staged: { 'a.js': '2' },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    ...options,
    commits: { ...commits, ...options.commits },
  });
  kernel.sandboxes.runTests = (run) => {
    // What is observed beside the suite runs in views of its own.
    if (run.operation.session === SESSION_ID) log.push('tests');
    const isMutant = !['1', '2', 'mine'].includes(run.files.get('a.js')?.text ?? '1');
    const seen = run.operation.session === SESSION_ID ? cases : onHead;
    return nodeTestReport(run, isMutant ? { ...seen, works: false } : seen);
  };
  const digest = given.staleGreen === true ? 'another' : await kernel.workspace.stagingDigest();
  kernel.session.update({
    base: { branch: 'main', head: HEAD },
    dirty_at_start: [],
    baseline: { kind: 'known', passed: [], failed: [], broken_files: [] },
    red: { run_id: 't_1', cases: [], files: [], frozen: {}, sensitive: {}, staging_digest: 'd', at_ms: 1 },
    proof: { staging_digest: digest, ...HELD },
    green: { run_id: 't_2', at_ms: 2, staging_digest: digest, passed: 1, skipped: 0, failed: [] },
  });
  const result = await proposeCommit(kernel.context, MESSAGE);
  const triggers = kernel.eventsOf('state.changed').map(({ trigger, to }) => `${trigger} -> ${to}`);
  return { ...kernel, result, log, triggers };
}

const refusal = (text: string) => ({ kind: 'continue', message: expect.stringContaining(text) as string });

describe('a proposed commit', () => {
  it('is merged at once where policy has no question', async () => {
    const { result, log, session } = await scene({});
    expect(result).toEqual({ kind: 'end', end: { kind: 'committed', commit: COMMIT, subject: MESSAGE } });
    expect(log).toEqual(['prepare on 1', 'merge on 1']);
    expect(session).toMatchObject({ state: 'idle', row: { commits: [COMMIT] } });
  });

  it('goes back to work where something has changed since the tests passed', async () => {
    const { result, log, session } = await scene({ staleGreen: true });
    expect(result).toEqual(refusal('something has changed since the tests passed; run test.run again'));
    expect(log).toEqual([]);
    expect(session).toMatchObject({ state: 'code_writing', snapshot: { green: null, commit_message: null } });
  });

  it('goes back to work, with the reason, where the repository has no branch to commit to', async () => {
    const base = () => Promise.resolve({ kind: 'problem', reason: 'no branch is checked out' } as const);
    const { result, log, session } = await scene({ commits: { base } });
    expect(result).toEqual(refusal('no branch is checked out'));
    expect(log).toEqual([]);
    expect(session.snapshot.base).toEqual({ branch: 'main', head: HEAD });
  });

  it('goes back to work where the branch is another one', async () => {
    const { result, log } = await scene({ branch: 'other' });
    expect(result).toEqual(refusal('the branch is now other'));
    expect(log).toEqual([]);
  });

  it('goes back to work where no commit can be made, with the reason', async () => {
    const { result, session } = await scene({ prepares: [{ kind: 'refused', reason: 'a.js is a submodule' }] });
    expect(result).toEqual(refusal('No commit could be made: a.js is a submodule'));
    expect(session.state).toBe('code_writing');
  });

  it('waits for a human where one has to decide, and nobody is there', async () => {
    const { result, session, log } = await scene({ options: { interactive: false, approve: 'ask' } });
    expect(result).toEqual({ kind: 'end', end: { kind: 'waiting' } });
    expect(session.snapshot.review).toMatchObject({ message: MESSAGE, base: HEAD });
    expect(log).toEqual(['prepare on 1']);
  });

  it('is replaced by another one that the model proposes after a message, while it waits', async () => {
    const kernel = await scene({ options: { interactive: false, approve: 'ask' } });
    const first = kernel.session.snapshot.review?.review_id;
    kernel.sandboxes.turns.push(
      modelAnswer('I look first.', [{ tool: 'fs.read', input: { path: 'a.js' } }]),
      modelAnswer('Once more.', [{ tool: 'git.commit', input: { message: 'Change a' } }]),
    );
    await runSession(kernel.services, kernel.session, kernel.context.signal);
    expect(kernel.eventsOf('review.requested').map(({ review_id }) => review_id)).toEqual([first, 'r_2']);
    expect(kernel.session.snapshot.review).toMatchObject({ review_id: 'r_2' });
    expect(kernel.eventsOf('review.decided')).toMatchObject([{ review_id: first, decision: 'expired' }]);
    expect(kernel.eventsOf('session.finished')).toMatchObject([{ status: 'waiting', exit_code: 4 }]);
  });

  it.each([
    ['approve', { kind: 'end', end: { kind: 'committed', commit: COMMIT, subject: MESSAGE } }],
    [{ reject: 'not like this' }, refusal('rejected at review: not like this')],
  ] as const)('is decided by the human who is there: %j', async (answer, expected) => {
    const { result } = await scene({ options: { interactive: true, approve: 'ask' }, answer });
    expect(result).toEqual(expected);
  });

  describe('that the human edits', () => {
    const interactive = { interactive: true, approve: 'ask' } as const;
    const mine = (path: string) => ({ reject: `Edited: ${path}`, edits: [{ path, text: 'mine' }] });

    it('is tested and proposed again with the edit, without a message of the model', async () => {
      const answer = [mine('a.js'), 'approve'] as const;
      const { result, log, triggers, eventsOf } = await scene({ options: interactive, answer });
      expect(result).toMatchObject({ kind: 'end', end: { kind: 'committed' } });
      expect(log).toEqual(['prepare on 1', 'tests', 'prepare on 1', 'merge on 1']);
      expect(triggers.slice(0, 3)).toEqual([
        'merge_rejected -> code_writing',
        'validation_started -> validating',
        'green_confirmed -> reviewing',
      ]);
      // As calls, not as the output of a typed command.
      expect(eventsOf('tool.finished').map(({ tool, output }) => [tool, output])).toEqual([
        ['fs.write', undefined],
        ['test.run', undefined],
      ]);
      expect(eventsOf('review.decided').map(({ decision }) => decision)).toEqual(['rejected', 'approved']);
    });

    it('waits for the human again, whatever else policy asks', async () => {
      const { session, eventsOf } = await scene({
        options: { interactive: true, approve: 'auto' },
        prepares: [{ ...PREPARED, findings: ['Look at a.js'] }],
        answer: [mine('a.js'), { reject: 'wait' }],
      });
      const [first, second] = eventsOf('review.requested').map(({ reasons }) => reasons);
      expect(first).toEqual(['Look at a.js']);
      expect(second).toContain('You rejected, edited or approved only a part of an earlier version.');
      expect(forNextTask(session.snapshot, 'another', 0).sent_back).toBe(false);
    });

    it('is proved again as a whole, by what is on record of the edit', async () => {
      const { session, workspace, audit } = await scene({
        options: interactive,
        answer: [mine('a.js'), { reject: 'wait' }],
      });
      expect(workspace.text('a.js')).toBe('mine');
      expect(session.snapshot.proof?.staging_digest).toBe(await workspace.stagingDigest());
      expect(audit.records).toContainEqual(
        expect.objectContaining({ syscall_type: 'fs.write', caller: 'user', input_summary: 'a.js' }),
      );
    });

    it('goes back to the model where the tests fail with it', async () => {
      const { result, session } = await scene({
        options: interactive,
        answer: mine('a.js'),
        cases: { works: false },
      });
      expect(result).toEqual(refusal('Their version is staged: keep their text.\n'));
      expect(session.state).toBe('code_writing');
    });

    it('goes back to the model, untested, where a file could not be written after all, with what is staged of it', async () => {
      const edits = ['a.js', 'test/a.test.js'].map((path) => ({ path, text: 'mine' }));
      const { result, log, workspace } = await scene({ options: interactive, answer: { reject: 'Edited', edits } });
      expect(result).toEqual(refusal('The user edited test/a.test.js at review, and it could not be staged:\n'));
      expect(result).toEqual(refusal('Their version of a.js is staged: keep their text.'));
      expect(log).toEqual(['prepare on 1']);
      expect(workspace.text('test/a.test.js')).toBe('old');
    });
  });

  it('that cannot be merged ends the run, and says why', async () => {
    const { result, session, eventsOf } = await scene({
      merges: [{ kind: 'conflict', paths: ['a.js'], reason: 'a.js was edited' }],
    });
    expect(result).toMatchObject({ kind: 'end', end: { kind: 'merge-failed' } });
    expect(eventsOf('notice')).toMatchObject([{ code: 'conflict', why: 'a.js was edited a.js' }]);
    expect(session.state).toBe('code_writing');
  });
});

describe('a branch that moves while a commit is on its way', () => {
  const OTHER = '2'.repeat(40);
  const conflict: CommitResult = { kind: 'conflict', paths: ['refs/heads/main'], reason: 'the branch has moved' };

  it('has the tests run again on its new head, and the commit prepared again', async () => {
    const { result, log, triggers, eventsOf } = await scene({ heads: [OTHER] });
    expect(result).toMatchObject({ kind: 'end', end: { kind: 'committed' } });
    expect(log).toEqual(['tests', 'prepare on 2', 'merge on 2']);
    expect(triggers).toEqual([
      'merge_rejected -> code_writing',
      'validation_started -> validating',
      'green_confirmed -> reviewing',
      'merge_approved -> committing',
      'commit_completed -> idle',
    ]);
    expect(eventsOf('notice').map(({ code }) => code)).toEqual(['branch_moved']);
  });

  it('has everything observed again, and what was observed on the old head forgotten', async () => {
    const waits = { interactive: false, approve: 'ask' } as const;
    const { session, workspace } = await scene({ heads: [OTHER], options: waits });
    const { proof } = session.snapshot;
    expect(proof?.observations.map(({ observation }) => observation)).toEqual([
      'removal',
      'plain',
      'old_tests',
      'findings',
      'mutation',
    ]);
    expect(proof?.staging_digest).toBe(await workspace.stagingDigest());
  });

  it('between review and merge does the same', async () => {
    const { result, log } = await scene({ heads: [HEAD, OTHER], merges: [conflict] });
    expect(result).toMatchObject({ kind: 'end', end: { kind: 'committed' } });
    expect(log).toEqual(['prepare on 1', 'merge on 1', 'tests', 'prepare on 2', 'merge on 2']);
  });

  it('while the commit is prepared does the same', async () => {
    const prepares: PrepareResult[] = [{ kind: 'refused', reason: 'the branch has moved' }, PREPARED];
    const { result, log } = await scene({ heads: [HEAD, OTHER], prepares });
    expect(result).toMatchObject({ kind: 'end', end: { kind: 'committed' } });
    expect(log).toEqual(['prepare on 1', 'tests', 'prepare on 2', 'merge on 2']);
  });

  it('sends the change back to the model where the tests fail on the new head', async () => {
    const { result, log, session } = await scene({ heads: [OTHER], cases: { works: false } });
    expect(result).toEqual(refusal('on its new head: '));
    // Once more for what failed: it is not flaky.
    expect(log).toEqual(['tests', 'tests']);
    expect(session).toMatchObject({ state: 'code_writing', snapshot: { green: null, refused: { gate: true } } });
  });

  it('has a new baseline, so that what somebody else broke is not held against the change', async () => {
    const broken = { works: true, old: false };
    const options = { interactive: false, approve: 'ask' } as const;
    const { result, log } = await scene({ heads: [OTHER], cases: broken, onHead: broken, options });
    expect(result).toEqual({ kind: 'end', end: { kind: 'waiting' } });
    expect(log).toEqual(['tests', 'prepare on 2']);
  });

  it('to another name leaves no baseline of the old one', async () => {
    const { session } = await scene({ branch: 'other' });
    expect(session.snapshot).toMatchObject({ base: { branch: 'other' }, baseline: null });
  });

  it('again and again is given up', async () => {
    const heads = Array.from({ length: 100 }, (_, index) => String(index % 10).repeat(40));
    const { result, log, session } = await scene({ heads });
    expect(result).toEqual(refusal('the branch keeps moving; run test.run again'));
    expect(log.filter((line) => line === 'tests')).toHaveLength(8);
    expect(log).not.toContain('merge');
    expect(session.state).toBe('code_writing');
  });
});
