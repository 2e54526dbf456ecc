import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Workspace } from '../../../src/contracts/ports/workspace.ts';
import type { SizeCheck } from '../../../src/kernel/call/call-facts.ts';
import { executePatch } from '../../../src/kernel/call/execute-patch.ts';
import type { Services } from '../../../src/kernel/services.ts';
import type { Session } from '../../../src/kernel/session/session.ts';
import { createUnifiedDiff } from '../../../src/lib/unified-diff.ts';
import { fixture, path, textOf } from '../../platform/fs/fixture.ts';

const BEFORE = 'one\ntwo\nthree\n';

/** An edit of `two` to `2`, with a sandbox that answers with a sound patch to `after`. */
async function edit(workspace: Workspace, after: string, oldString = 'two', sizes: SizeCheck = () => null) {
  const result = {
    patch: createUnifiedDiff('a.txt', BEFORE, after),
    sha256: createHash('sha256').update(after).digest('hex'),
    replacements: 1,
  };
  const services = {
    sandboxes: { tool: () => Promise.resolve({ kind: 'ok', result, sandbox: 'x_sandbox001' }) },
  } as unknown as Services;
  const session = { id: 's_session001', mode: 'strict' } as unknown as Session;
  const input = { path: 'a.txt', old_string: oldString, new_string: '2' };
  const { signal } = new AbortController();
  return executePatch(services, session, workspace, { tool: 'fs.edit', input }, path('a.txt'), 'c1', sizes, signal);
}

it('takes over the edit that was asked for', async () => {
  const workspace = await fixture({ 'a.txt': BEFORE }).open();
  expect(await edit(workspace, 'one\n2\nthree\n')).toMatchObject({ ok: true });
  expect(await textOf(workspace, 'a.txt')).toBe('one\n2\nthree\n');
});

it.each([
  ['more than was asked for', 'one\n2\nthree\nbackdoor\n', 'two'],
  ['another place', 'one\ntwo\n2\n', 'two'],
  ['nothing', BEFORE, 'two'],
  ['a text that is not there', 'one\n2\nthree\n', 'none'],
])('believes no sandbox that edits %s', async (_, after, oldString) => {
  const workspace = await fixture({ 'a.txt': BEFORE }).open();
  expect(await edit(workspace, after, oldString)).toMatchObject({ ok: false, error: { code: 'sandbox_failed' } });
  expect(await textOf(workspace, 'a.txt')).toBe(BEFORE);
});

it('holds what the file becomes, and not just what is added, to its size', async () => {
  const after = 'one\n2\nthree\n';
  const atMost =
    (limit: number): SizeCheck =>
    (_path, size) =>
      size <= limit ? null : 'too large';
  const workspace = await fixture({ 'a.txt': BEFORE }).open();
  expect(await edit(workspace, after, 'two', atMost(after.length - 1))).toMatchObject({
    ok: false,
    error: { code: 'policy_denied', message: 'Policy denies fs.edit: too large' },
  });
  expect(await textOf(workspace, 'a.txt')).toBe(BEFORE);
  expect(await edit(workspace, after, 'two', atMost(after.length))).toMatchObject({ ok: true });
});
