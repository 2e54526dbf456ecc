import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditEntry, AuditInput } from '../../../src/contracts/audit-entry.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { RequestResult } from '../../../src/contracts/session/session-protocol.ts';
import { reviewDigest } from '../../../src/lib/review-digest.ts';
import { PolicyHolder, combinePolicies, decide, loadPolicy } from '../../../src/kernel/policy/index.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';
import { PolicyUpdates } from '../../../src/kernel/serve/policy-updates.ts';
import { auditedRead } from '../../support/audited-read.ts';

const SHELL = 'capabilities: [{ name: shell, match: { syscall: shell.run }, action: allow }]\n';
const CLOSED = 'capabilities: [{ name: closed, match: { syscall: fs.read }, action: deny }]\n';
const LOCKED = 'capabilities: [{ name: locked, match: { syscall: policy.update }, action: deny }]\n';
const OPEN = 'capabilities: [{ name: open, match: { syscall: policy.update }, action: allow }]\n';
const sha = (text: string) => createHash('sha256').update(text).digest('hex');

const loadedShipped = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loadedShipped.kind !== 'ok') throw new Error('the shipped policy is invalid');
const shipped = loadedShipped;

function combined(text: string, signed: boolean) {
  const project = loadPolicy(text, '.fluffy/policy.yaml');
  if (project.kind === 'invalid') return project;
  const both = combinePolicies(shipped, project, { signed, file: '.fluffy/policy.yaml' });
  return both.kind === 'ok' ? { ...both, warnings: [...project.warnings] } : { ...both, warnings: [] };
}

const keys = generateKeyPairSync('ed25519');
const publicKey = (keys.publicKey.export({ type: 'spki', format: 'der' }) as Buffer).subarray(-32).toString('base64');
const signed = (sha256: string) => ({
  kind: 'approve' as const,
  sha256,
  signature: sign(null, Buffer.from(sha256, 'hex'), keys.privateKey).toString('base64'),
  public_key: publicKey,
  phrase: null,
});

/** A kernel's policy over a project that has `text`; the file is written and signed as the host would. */
function scene(text: string | null = null, audited: readonly AuditEntry[] = []) {
  const disk = { text, signed: new Set(text === null ? [] : [sha(text)]), opened: 0, onOpen: (): unknown => undefined };
  const open = () => {
    if (disk.text === null) return Promise.resolve({ policy: shipped.policy, warnings: [], project: null });
    const both = combined(disk.text, disk.signed.has(sha(disk.text)));
    if (both.kind === 'invalid') {
      const told = { code: 'policy_invalid', what: 'invalid', why: 'invalid', fix: '', exitCode: 2 as const };
      return Promise.reject(new FluffyError(told));
    }
    return Promise.resolve({ ...both, project: { text: disk.text, sha256: sha(disk.text) } });
  };
  const records: AuditInput[] = [];
  const replaced: string[] = [];
  const first = text === null ? shipped.policy : combined(text, true);
  const holder = new PolicyHolder('policy' in first ? first.policy : shipped.policy);
  let count = 0;
  const updates = new PolicyUpdates({
    holder,
    open: () => {
      disk.opened += 1;
      disk.onOpen();
      return open();
    },
    stamp: () =>
      Promise.resolve(disk.text === null ? 'none' : `${sha(disk.text)} ${String(disk.signed.has(sha(disk.text)))}`),
    readText: () => Promise.resolve(disk.text === null ? null : { text: disk.text, sha256: sha(disk.text) }),
    tryText: (proposed) => {
      const tried = combined(proposed, true);
      return Promise.resolve(tried.kind === 'ok' ? { ...tried, shipped: shipped.policy } : tried);
    },
    audit: {
      append: (entry: AuditInput) => {
        records.push(entry);
        return entry as AuditEntry;
      },
      recent: (limit: number) => audited.slice(0, limit),
    } as never,
    random: { id: (prefix: string) => `${prefix}_${(count += 1)}` } as never,
    onReplaced: ({ by }) => replaced.push(by),
  });
  const put = (next: string) => {
    disk.text = next;
    disk.signed.add(sha(next));
  };
  return { updates, holder, records, replaced, disk, put };
}

const ME = {};

async function proposed(updates: PolicyUpdates, base: string | null, text: string, owner: object = ME) {
  const result = await updates.propose({ base: base as never, text }, owner);
  if (result.kind !== 'proposed') throw new Error(`${result.kind}: ${JSON.stringify(result)}`);
  return result;
}

const approve = (
  updates: PolicyUpdates,
  { review, phrase }: Extract<RequestResult<'policy.update'>, { kind: 'proposed' }>,
  more: { phrase?: string | null } = {},
  owner: object = ME,
) => updates.decide({ review_id: review.review_id, decision: { ...signed(review.sha256), phrase, ...more } }, owner);

describe('a proposal', () => {
  it('changes nothing, and comes back as a review over both texts, both policies and the results', async () => {
    const { updates, holder, records } = scene(null, [auditedRead('src/a.ts'), auditedRead('src/b.ts')]);
    const before = holder.current();
    const { review, ...plan } = await proposed(updates, null, CLOSED);
    expect(holder.current()).toBe(before);
    expect(plan).toMatchObject({ replayed: 2, breaking: 2, phrase: null });
    expect(plan.changes).toEqual([
      '[BREAKING] fs.read src/a.ts (planning, strict): allow -> deny',
      '[BREAKING] fs.read src/b.ts (planning, strict): allow -> deny',
    ]);
    expect(review.base).toBe('none');
    expect(review.message).toContain(sha(CLOSED));
    expect(review.message).toContain(before.hash);
    expect(review.diff).toContain('+capabilities: [{ name: closed');
    const { review_id, ...subject } = review;
    expect(subject.sha256).toBe(reviewDigest(subject));
    expect(records).toMatchObject([
      { event_type: 'review_requested', syscall_type: 'policy.update', metadata: { review_id, kind: 'policy' } },
    ]);
  });

  it('that cannot be used is told with its places', async () => {
    const { updates, records } = scene();
    const result = await updates.propose({ base: null, text: 'capabilities: 1\n' }, ME);
    expect(result).toMatchObject({ kind: 'invalid', errors: [{ file: '.fluffy/policy.yaml', line: 1, column: 15 }] });
    expect(records).toEqual([]);
  });

  it('that is in force already is none', async () => {
    const { updates } = scene(SHELL);
    expect(await updates.propose({ base: sha(SHELL) as never, text: SHELL }, ME)).toEqual({ kind: 'unchanged' });
  });

  it('over another text than is in place is a conflict', async () => {
    const { updates } = scene(SHELL);
    expect(await updates.propose({ base: null, text: CLOSED }, ME)).toMatchObject({ kind: 'conflict' });
    expect(await updates.propose({ base: sha(CLOSED) as never, text: CLOSED }, ME)).toMatchObject({ kind: 'conflict' });
  });

  it('is refused where the policy in force denies it, and needs a human where it allows it', async () => {
    const locked = scene(LOCKED);
    expect(await locked.updates.propose({ base: sha(LOCKED) as never, text: SHELL }, ME)).toMatchObject({
      kind: 'denied',
    });
    expect(locked.records).toMatchObject([{ policy_decision: 'denied', syscall_type: 'policy.update' }]);
    const open = scene(OPEN);
    await proposed(open.updates, sha(OPEN), SHELL);
    expect(open.records).toMatchObject([{ policy_decision: 'review_required' }]);
  });

  it('replays the last hundred requests, however many other records lie between them', async () => {
    const noise: AuditEntry = { ...auditedRead('x'), event_type: 'tool_result' };
    const audited = Array.from({ length: 150 }, (_, index) => [noise, noise, auditedRead(`src/f${index}.ts`)]).flat();
    const plan = await proposed(scene(null, audited).updates, null, CLOSED);
    expect(plan).toMatchObject({ replayed: 100, breaking: 100, phrase: 'accept 100 breaking changes' });
  });
});

describe('a decision', () => {
  it('is recorded with its signature before anything else, and the policy comes in force with the file', async () => {
    const { updates, holder, records, replaced, put } = scene();
    const before = holder.current().hash;
    const plan = await proposed(updates, null, SHELL);
    expect(await approve(updates, plan)).toEqual({ kind: 'approved' });
    expect(holder.current().hash).toBe(before);
    const after = combined(SHELL, true);
    const expected = 'policy' in after ? after.policy.hash : '';
    expect(records.at(-1)).toMatchObject({
      event_type: 'policy_update',
      caller: 'user',
      policy_decision: 'allowed',
      metadata: { sha256: plan.review.sha256, public_key: publicKey, old_policy: before, new_policy: expected },
    });
    put(SHELL);
    const done = { replaced: true, old_hash: before, new_hash: expected };
    expect(await updates.reload(plan.review.review_id)).toEqual(done);
    expect(holder.current().hash).toBe(expected);
    expect(records.at(-1)).toMatchObject({
      event_type: 'policy_update',
      caller: 'user',
      output_summary: 'in force',
      metadata: { by: 'human', public_key: publicKey, old_policy: before, new_policy: expected, text: sha(SHELL) },
    });
    expect(replaced).toEqual(['human']);
    expect(await updates.reload(null)).toMatchObject({ replaced: false });
    expect(replaced).toEqual(['human']);
  });

  it.each([
    ['over another digest', { sha256: 'a'.repeat(64) }],
    ['with another signature', { signature: signed('a'.repeat(64)).signature }],
    ['without a key', { public_key: '' }],
  ])('%s decides nothing, and the proposal goes on waiting', async (_name, wrong) => {
    const { updates, records } = scene();
    const plan = await proposed(updates, null, SHELL);
    const decision = { ...signed(plan.review.sha256), ...wrong };
    await expect(updates.decide({ review_id: plan.review.review_id, decision }, ME)).rejects.toMatchObject({
      code: 'approval_invalid',
    });
    expect(records).toHaveLength(1);
    expect(await approve(updates, plan)).toEqual({ kind: 'approved' });
  });

  it('about more than five breaking changes needs the phrase', async () => {
    const { updates } = scene(
      null,
      ['a', 'b', 'c', 'd', 'e', 'f'].map((path) => auditedRead(path)),
    );
    const plan = await proposed(updates, null, CLOSED);
    await expect(approve(updates, plan, { phrase: null })).rejects.toMatchObject({ code: 'approval_invalid' });
    await expect(approve(updates, plan, { phrase: 'yes' })).rejects.toMatchObject({ code: 'approval_invalid' });
    expect(await approve(updates, plan, { phrase: 'accept 6 breaking changes' })).toEqual({ kind: 'approved' });
  });

  it('that opens what was denied needs the phrase, and shows what it opens', async () => {
    const { updates } = scene();
    const plan = await proposed(updates, null, SHELL);
    expect(plan.phrase).toMatch(/^allow \d+ denied requests$/);
    expect(plan.changes).toContain('[WIDER] shell.run (code_writing, strict): deny -> allow');
    await expect(approve(updates, plan, { phrase: null })).rejects.toMatchObject({ code: 'approval_invalid' });
  });

  it('comes from the connection that proposed, and only once', async () => {
    const { updates } = scene();
    const plan = await proposed(updates, null, SHELL);
    await expect(approve(updates, plan, {}, {})).rejects.toMatchObject({ code: 'review_not_found' });
    const both = await Promise.allSettled([approve(updates, plan), approve(updates, plan)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('that says no is recorded with its reason', async () => {
    const { updates, records } = scene();
    const { review } = await proposed(updates, null, SHELL);
    const no = { review_id: review.review_id, decision: { kind: 'reject' as const, reason: 'not today' } };
    expect(await updates.decide(no, ME)).toEqual({ kind: 'rejected' });
    expect(records.at(-1)).toMatchObject({ policy_decision: 'denied', deny_reason: 'not today' });
  });

  it('of a proposal that is gone with its connection is refused', async () => {
    const { updates } = scene();
    const plan = await proposed(updates, null, SHELL);
    updates.withdraw(ME);
    await expect(approve(updates, plan)).rejects.toMatchObject({ code: 'review_not_found' });
  });
});

describe('two changes at once', () => {
  const YOU = {};

  it('are one change and a conflict, also before the first is in the file', async () => {
    const { updates, records } = scene();
    const [mine, yours] = [await proposed(updates, null, SHELL), await proposed(updates, null, CLOSED, YOU)];
    expect(await approve(updates, mine)).toEqual({ kind: 'approved' });
    expect(await approve(updates, yours, {}, YOU)).toMatchObject({ kind: 'conflict' });
    expect(records.at(-1)).toMatchObject({ policy_decision: 'denied', metadata: { text: sha(CLOSED) } });
  });

  it('one after the other are a conflict too, for what was shown is no longer so', async () => {
    const { updates, put } = scene();
    const [mine, yours] = [await proposed(updates, null, SHELL), await proposed(updates, null, CLOSED, YOU)];
    await approve(updates, mine);
    put(SHELL);
    await updates.reload(mine.review.review_id);
    expect(await approve(updates, yours, {}, YOU)).toMatchObject({ kind: 'conflict' });
  });

  it('do not block each other for ever: an approval whose connection ends is over', async () => {
    const { updates } = scene();
    await approve(updates, await proposed(updates, null, SHELL));
    updates.withdraw(ME);
    expect(await approve(updates, await proposed(updates, null, CLOSED, YOU), {}, YOU)).toEqual({ kind: 'approved' });
  });
});

describe('a look at the files', () => {
  it('finds a policy that was put there by hand, and says so', async () => {
    const { updates, records, replaced, disk } = scene();
    disk.text = CLOSED;
    expect(await updates.reload(null)).toMatchObject({ replaced: true });
    expect(records.at(-1)).toMatchObject({ event_type: 'policy_update', caller: 'kernel', metadata: { by: 'file' } });
    expect(replaced).toEqual(['file']);
  });

  it('finds a signature that was taken back: what it allowed is allowed no longer', async () => {
    const { updates, holder, disk } = scene(SHELL);
    const shell = { syscall: 'shell.run', state: 'idle', mode: 'strict', tags: ['core_plugin'] } as const;
    expect(decide(holder.current(), shell, { nowMonotonicMs: 0 }).decision).toBe('allow');
    disk.signed.clear();
    await updates.reload(null);
    expect(decide(holder.current(), shell, { nowMonotonicMs: 0 }).decision).toBe('deny');
  });

  it('reads them whole only when they have changed', async () => {
    const { updates, disk } = scene(SHELL);
    for (let message = 0; message < 3; message += 1) await updates.reload(null);
    expect(disk.opened).toBe(1);
    disk.signed.clear();
    await updates.reload(null);
    expect(disk.opened).toBe(2);
  });

  it('while they change is not the last: what was there before may be there again', async () => {
    const { updates, holder, disk } = scene(SHELL);
    const before = holder.current();
    await updates.reload(null);
    disk.text = CLOSED;
    disk.signed.add(sha(CLOSED));
    disk.onOpen = () => (disk.text = SHELL);
    await updates.reload(null);
    disk.onOpen = () => undefined;
    disk.text = CLOSED;
    await updates.reload(null);
    expect(holder.current().hash).not.toBe(before.hash);
  });

  it('at something unusable fails, but what is there can be mended', async () => {
    const { updates, disk, put } = scene(SHELL);
    disk.text = 'capabilities: 1\n';
    const plan = await proposed(updates, sha(disk.text), CLOSED);
    expect(plan.review.diff).toContain('-capabilities: 1');
    await approve(updates, plan);
    put(CLOSED);
    expect(await updates.reload(plan.review.review_id)).toMatchObject({ replaced: true });
  });

  it('at something unusable fails, and keeps the policy', async () => {
    const { updates, holder, disk } = scene(SHELL);
    const before = holder.current();
    disk.text = 'capabilities: 1\n';
    await expect(updates.reload(null)).rejects.toMatchObject({ code: 'policy_invalid' });
    expect(holder.current()).toBe(before);
    disk.text = SHELL;
    expect(await updates.reload(null)).toMatchObject({ replaced: false });
  });
});

it('no tool of the model is called policy.update', () => {
  expect(TOOLS.names.filter((name) => name.startsWith('policy'))).toEqual([]);
});
