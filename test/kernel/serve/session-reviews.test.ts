import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { PendingReview } from '../../../src/contracts/session/session-facts.ts';
import { wholeReview } from '../../../src/cli/review/whole-review.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { reviewDigest } from '../../../src/lib/review-digest.ts';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const BASE = 'a'.repeat(40);
const COMMIT = 'c'.repeat(40);
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const PUBLIC_KEY = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

function reviewOf(diff: string): PendingReview {
  const shown = { session_id: SESSION_ID, base: BASE, message: 'Change a', diff };
  const sha256 = reviewDigest(shown);
  return {
    review_id: 'r_1',
    kind: 'merge',
    risk: 'low',
    reasons: ['size'],
    requested_ms: 0,
    sha256,
    ...without(shown),
  };
}

function without({ session_id: _, ...rest }: { session_id: string; base: string; message: string; diff: string }) {
  return rest;
}

const approve = (sha256: string) => ({
  kind: 'approve' as const,
  sha256,
  signature: sign(null, Buffer.from(sha256, 'hex'), privateKey).toString('base64'),
  public_key: PUBLIC_KEY,
});

/** A kernel that finds a session whose review waits in the store, as after a restart. */
function scene(diff = '+new\n', options: TestKernelOptions = {}) {
  const merged: string[] = [];
  const review = reviewOf(diff);
  const kernel = testKernel({
    state: 'reviewing',
    files: { 'a.js': '1' },
    staged: { 'a.js': '2' },
    snapshot: { review, commit_message: 'Change a' },
    commits: {
      merge: (_session, { sha256 }) => {
        merged.push(sha256);
        return Promise.resolve({ kind: 'committed', commit: COMMIT });
      },
    },
    ...options,
  });
  const faults: unknown[] = [];
  const manager = new SessionManager(kernel.services, kernel.store, (error) => faults.push(error));
  const decide = (decision: Parameters<typeof manager.reviews.decide>[0]['decision'], review_id = 'r_1') =>
    manager.reviews.decide({ session_id: SESSION_ID, review_id, decision });
  return { ...kernel, manager, faults, merged, review, decide };
}

describe('a file of a waiting commit', () => {
  const asked = (path: string, options: TestKernelOptions = {}, review_id = 'r_1') =>
    scene('+new\n', options).manager.reviews.file({ session_id: SESSION_ID, review_id, path });
  const file = async (...given: Parameters<typeof asked>) => (await asked(...given)).text;

  it('is what would be committed', async () => {
    expect(await file('a.js')).toBe('2');
  });

  it.each([
    ['is not of the change', 'b.js', { files: { 'a.js': '1', 'b.js': '1' } }],
    ['is no text', 'a.js', { staged: { 'a.js': 'a\0b' } }],
    ['is larger than a person edits', 'a.js', { staged: { 'a.js': 'x'.repeat(1_000_001) } }],
  ] as [string, string, TestKernelOptions][])('is null where it %s', async (_, path, options) => {
    expect(await file(path, options)).toBeNull();
  });

  it('is null where it is deleted', async () => {
    const { manager, workspace } = scene();
    const removed = await workspace.overlay((slot) => Promise.resolve(workspace.slots.at(slot).delete('a.js')));
    if (removed.kind === 'completed') await removed.accept(new Set(['a.js']));
    const { text } = await manager.reviews.file({ session_id: SESSION_ID, review_id: 'r_1', path: 'a.js' });
    expect(text).toBeNull();
  });

  it.each([
    ['a test, which is frozen', 'test/a.test.js', {}, 'test/a.test.js is a test, and tests are frozen'],
    ['denied by policy', '.fluffy/policy.yaml', {}, 'policy denies a change of .fluffy/policy.yaml'],
    ['a source in a session of tests', 'a.js', { kind: 'tests' }, 'a.js is source code, which is closed in state'],
  ] as const)('says so where it is %s', async (_, path, change, why) => {
    const snapshot = { review: reviewOf('+new\n'), commit_message: 'Change a', ...change };
    const { closed } = await asked(path, { snapshot });
    expect(closed).toContain(why);
    expect(await asked('a.js')).toEqual({ text: '2' });
  });

  it('is refused for another review than the one that waits', async () => {
    await expect(file('a.js', {}, 'r_2')).rejects.toMatchObject({ code: 'review_not_found' });
  });
});

describe('a review that cannot be merged in its present state', () => {
  const PREPARED = { prepared: {}, facts: {} } as never;

  it('shows why, refuses an approval with the reason, and goes on waiting', async () => {
    let obstacle: string | null = 'HEAD is no longer on refs/heads/main';
    const merged: string[] = [];
    const review = reviewOf('+new\n');
    const { decide, manager, audit } = scene('+new\n', {
      snapshot: { review, commit_message: 'Change a', prepared: PREPARED },
      commits: {
        obstacle: () => Promise.resolve(obstacle),
        merge: (_session, { sha256 }) => {
          merged.push(sha256);
          return Promise.resolve({ kind: 'committed', commit: COMMIT });
        },
      },
    });
    expect(await manager.reviews.shown(SESSION_ID)).toMatchObject({ obstacle });
    await expect(decide(approve(review.sha256))).rejects.toMatchObject({ code: 'review_blocked', why: obstacle });
    expect(manager.reviews.waiting(SESSION_ID)).toMatchObject({ review_id: 'r_1' });
    expect(audit.records.some(({ event_type }) => event_type === 'merge_approved')).toBe(false);

    obstacle = null;
    expect(await decide(approve(review.sha256))).toMatchObject({ outcome: 'committed' });
    expect(merged).toEqual([review.sha256]);
  });

  it('can be rejected anyway', async () => {
    const { decide, review } = scene('+new\n', {
      snapshot: { review: reviewOf('+new\n'), commit_message: 'Change a', prepared: PREPARED },
      commits: { obstacle: () => Promise.resolve('HEAD is elsewhere') },
    });
    expect(review.review_id).toBe('r_1');
    expect(await decide({ kind: 'reject', reason: 'no' })).toMatchObject({ outcome: 'rejected' });
  });

  it('that fails in the end says the reason itself', async () => {
    const { decide, review } = scene('+new\n', {
      commits: { merge: () => Promise.resolve({ kind: 'conflict', paths: ['a.js'], reason: 'a.js was edited' }) },
    });
    expect(await decide(approve(review.sha256))).toEqual({
      outcome: 'failed',
      message: 'The change was not merged: a.js was edited a.js',
    });
  });
});

describe('a review that waits in the store', () => {
  it('is merged by an approval of exactly what it shows', async () => {
    const { decide, merged, review, manager } = scene();
    expect(await decide(approve(review.sha256))).toMatchObject({ outcome: 'committed', commit: COMMIT });
    expect(merged).toEqual([review.sha256]);
    expect(manager.get(SESSION_ID)).toMatchObject({ state: 'idle', snapshot: { review: null } });
  });

  it('ends with the time of the merge, not with that of the run that asked for it', async () => {
    const { decide, review, manager, advance } = scene();
    const durations: number[] = [];
    manager.get(SESSION_ID).subscribe((event) => {
      if (event.type === 'session.finished') durations.push(event.duration_ms);
    });
    await advance(60_000);
    await decide(approve(review.sha256));
    expect(durations).toEqual([0]);
  });

  it('is not merged by an approval that is validly signed over something else', async () => {
    const { decide, merged, manager } = scene();
    const other = reviewDigest({ session_id: SESSION_ID, base: BASE, message: 'Change a', diff: '+other\n' });
    await expect(decide(approve(other))).rejects.toMatchObject({
      code: 'approval_invalid',
      why: 'Its signature is not over what this review shows',
      exitCode: 4,
    });
    expect(merged).toEqual([]);
    expect(manager.get(SESSION_ID).state).toBe('reviewing');
  });

  it('is not merged by a signature that is not over the digest that it names', async () => {
    const { decide, merged, review } = scene();
    const forged = { ...approve('0'.repeat(64)), sha256: review.sha256 };
    await expect(decide(forged)).rejects.toMatchObject({ code: 'approval_invalid' });
    expect(merged).toEqual([]);
  });

  it('is not decided under another id', async () => {
    const { decide, review } = scene();
    await expect(decide(approve(review.sha256), 'r_2')).rejects.toMatchObject({
      code: 'review_not_found',
      exitCode: 2,
    });
  });

  it('goes back to work when it is rejected, and is no longer there', async () => {
    const { decide, merged, review, manager } = scene();
    expect(await decide({ kind: 'reject', reason: 'too large' })).toMatchObject({ outcome: 'rejected' });
    expect(manager.get(SESSION_ID).state).toBe('code_writing');
    expect(manager.get(SESSION_ID).messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('too large') as string,
    });
    await expect(decide(approve(review.sha256))).rejects.toMatchObject({ code: 'review_not_found' });
    expect(merged).toEqual([]);
  });

  it('of a change without tests first can be answered by a request for tests: then only tests are written', async () => {
    const { decide, manager, store } = scene('+new\n', {
      mode: 'explore',
      testCommand: { runner: 'node-test', cwd: '', args: [] },
      state: 'reviewing',
    });
    const decided = await decide({ kind: 'reject', reason: 'cover the error', tests: true });
    expect(decided).toMatchObject({ outcome: 'rejected' });
    const { state, messages, snapshot } = manager.get(SESSION_ID);
    expect(state).toBe('retroactive_testing');
    expect(messages.at(-1)).toMatchObject({ text: expect.stringMatching(/wants tests .*: cover the error/) as string });
    expect(snapshot.review).toBe(null);
    expect(store.events(SESSION_ID, 0)).toContainEqual(expect.objectContaining({ decision: 'rejected', tests: true }));
  });

  it('needs no words for that', async () => {
    const { decide, manager } = scene('+new\n', {
      mode: 'explore',
      testCommand: { runner: 'node-test', cwd: '', args: [] },
    });
    await decide({ kind: 'reject', reason: '', tests: true });
    expect(manager.get(SESSION_ID).messages.at(-1)).toMatchObject({
      text: expect.stringMatching(/before this change is merged\nThe change stays/) as string,
    });
  });

  it('in strict mode, where tests came first, a request for tests is a rejection', async () => {
    const { decide, manager } = scene();
    await decide({ kind: 'reject', reason: 'more tests', tests: true });
    expect(manager.get(SESSION_ID).state).toBe('code_writing');
  });

  it('is decided once, however many decisions come at the same time', async () => {
    const { decide, merged, review } = scene();
    const both = await Promise.allSettled([decide(approve(review.sha256)), decide(approve(review.sha256))]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(merged).toHaveLength(1);
  });

  it('keeps a message that comes meanwhile waiting until the decision has been carried through', async () => {
    const merging = Promise.withResolvers<void>();
    const order: string[] = [];
    const { decide, review, manager } = scene('+new\n', {
      commits: {
        merge: async () => {
          await merging.promise;
          order.push('merged');
          return { kind: 'committed', commit: COMMIT };
        },
      },
    });
    const decided = decide(approve(review.sha256));
    const sent = manager.message({ session_id: SESSION_ID, text: 'and now?' }).then(() => order.push('taken'));
    setImmediate(() => merging.resolve());
    await Promise.all([decided, sent]);
    expect(order).toEqual(['merged', 'taken']);
    await manager.close();
  });
});

describe('a diff that is too large for one answer', () => {
  const diff = '+a line of a large file\n'.repeat(60_000);

  it('is shown page by page, and what is put together has the digest that is signed', async () => {
    const { manager, review } = scene(diff);
    const shown = manager.reviews.waiting(null);
    expect(shown?.diff.length).toBeLessThan(300_000);
    expect(shown?.diff_characters).toBe(diff.length);
    const request = (method: string, params: { from?: number }) =>
      Promise.resolve(
        method === 'review.get'
          ? { review: manager.reviews.waiting(SESSION_ID) }
          : { text: manager.reviews.diff({ session_id: SESSION_ID, review_id: 'r_1', from: params.from ?? 0 }) },
      );
    const whole = await wholeReview({ request } as unknown as Parameters<typeof wholeReview>[0], SESSION_ID);
    if (whole === null) throw new Error('nothing waits');
    expect(whole).not.toHaveProperty('diff_characters');
    const { base, message } = whole;
    expect(reviewDigest({ session_id: SESSION_ID, base, message, diff: whole.diff })).toBe(review.sha256);
  });

  it('has no page behind its end, and none of another review', () => {
    const { manager } = scene(diff);
    const page = (review_id: string) =>
      manager.reviews.diff({ session_id: SESSION_ID, review_id, from: diff.length + 5 });
    expect(page('r_1')).toBe('');
    expect(() => page('r_2')).toThrow(expect.objectContaining({ code: 'review_not_found' }));
  });
});

describe('an edit of a review that no run waits for', () => {
  const edit = (...edits: [string, string | null][]) => ({
    kind: 'reject' as const,
    reason: 'edited',
    edits: edits.map(([path, text]) => ({ path, text })),
  });

  async function edited(
    options: { readonly passes?: boolean; readonly abort?: boolean; readonly edits?: [string, string | null][] } = {},
  ) {
    const { passes = true, abort = false, edits = [['a.js', 'mine']] } = options;
    const requests: string[] = [];
    const approved: string[] = [];
    const review = reviewOf('+new\n');
    const made = scene('+new\n', {
      files: { 'a.js': '1', 'test/a.test.js': 'old' },
      staged: { 'a.js': '2', 'new.js': '3' },
      testCommand: { runner: 'node-test', cwd: '', args: [] },
      options: { interactive: true, approve: 'ask' },
      snapshot: {
        review,
        commit_message: 'Change a',
        base: { branch: 'main', head: BASE },
        dirty_at_start: [],
        baseline: { kind: 'known', passed: [], failed: [], broken_files: [] },
        red: { run_id: 't_1', cases: [], files: [], frozen: {}, sensitive: {}, staging_digest: 'd', at_ms: 1 },
      },
      commits: {
        base: () => Promise.resolve({ kind: 'ok', branch: 'main', head: BASE }),
        prepare: (_session, _workspace, message) =>
          Promise.resolve({ kind: 'prepared', message, diff: '+mine\n', findings: [] }),
        merge: (_session, { sha256 }) => {
          approved.push(sha256);
          return Promise.resolve({ kind: 'committed', commit: COMMIT });
        },
      },
    });
    made.sandboxes.runTests = (run) => {
      requests.push('tests');
      if (abort) made.manager.interrupt(SESSION_ID, 'interrupt');
      return nodeTestReport(run, { works: run.operation.session === SESSION_ID ? passes : true });
    };
    const result = await made.decide(edit(...edits));
    const events = made.store.events(SESSION_ID, 0).map((event) => event.type);
    return { ...made, result, requests, approved, events };
  }

  it('is a review again when its tests pass, without a message of the model', async () => {
    const { result, manager, requests, events, workspace } = await edited();
    expect(requests).toContain('tests');
    expect(result).toEqual({ outcome: 'done', message: 'The session is waiting.' });
    expect(manager.reviews.waiting(SESSION_ID)).toMatchObject({ message: 'Change a', diff: '+mine\n' });
    expect(manager.reviews.waiting(SESSION_ID)?.review_id).not.toBe('r_1');
    expect(events.filter((type) => /^review|^session|^model/.test(type))).toEqual([
      'review.decided',
      'review.requested',
      'session.finished',
    ]);
    expect(workspace.text('a.js')).toBe('mine');
  });

  it('is approved by a signature over its own text only, not over what was shown before it', async () => {
    const { manager, approved, review } = await edited();
    const shown = manager.reviews.waiting(SESSION_ID);
    expect(shown?.sha256).toBe(
      reviewDigest({ session_id: SESSION_ID, base: BASE, message: 'Change a', diff: '+mine\n' }),
    );
    const decideShown = (sha256: string) =>
      manager.reviews.decide({
        session_id: SESSION_ID,
        review_id: shown?.review_id ?? '',
        decision: approve(sha256),
      });
    await expect(decideShown(review.sha256)).rejects.toMatchObject({ code: 'approval_invalid' });
    expect(approved).toEqual([]);
    expect(await decideShown(shown?.sha256 ?? '')).toMatchObject({ outcome: 'committed' });
    expect(approved).toEqual([shown?.sha256]);
  });

  it('can take a new file out of the change', async () => {
    const { result, manager, workspace, audit } = await edited({ edits: [['new.js', null]] });
    expect(manager.get(SESSION_ID).messages.at(-1)).toMatchObject({
      text: expect.stringMatching(/^At review the user edited\. Their version is staged/) as string,
    });
    expect(result).toMatchObject({ outcome: 'done' });
    expect([workspace.text('new.js'), workspace.text('a.js')]).toEqual([null, '2']);
    expect(audit.records).toContainEqual(
      expect.objectContaining({ syscall_type: 'fs.delete', caller: 'user', input_summary: 'new.js' }),
    );
  });

  it('is left to the model when they fail', async () => {
    const { result, manager } = await edited({ passes: false });
    expect(result).toMatchObject({ outcome: 'rejected' });
    expect(manager.get(SESSION_ID)).toMatchObject({ state: 'code_writing', snapshot: { review: null } });
    expect(manager.get(SESSION_ID).messages.at(-1)).toMatchObject({
      text: expect.stringContaining('keep their text') as string,
    });
  });

  it('can be interrupted while its tests run, and then nothing goes on by itself', async () => {
    const { result, manager } = await edited({ abort: true, passes: false });
    expect(result).toMatchObject({ outcome: 'done', message: 'The session is cancelled.' });
    expect(manager.get(SESSION_ID).row.status).toBe('cancelled');
  });

  it('is refused as a whole, with nothing rejected or staged, where one of its files is closed', async () => {
    const { decide, manager, workspace, audit } = scene();
    await expect(decide(edit(['a.js', 'mine'], ['test/a.test.js', 'mine']))).rejects.toMatchObject({
      code: 'edit_refused',
      why: 'test/a.test.js is a test, and tests are frozen since the source was opened',
    });
    expect(manager.reviews.waiting(SESSION_ID)).toMatchObject({ review_id: 'r_1' });
    expect(workspace.text('a.js')).toBe('2');
    expect(audit.records.some(({ event_type }) => event_type === 'merge_rejected')).toBe(false);
  });
});
