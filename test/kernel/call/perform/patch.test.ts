import { describe, expect, it } from 'vitest';
import { createUnifiedDiff } from '../../../../src/lib/diff/unified-diff.ts';
import { fixture, textOf } from '../../../platform/fs/fixture.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { sha256Of } from '../../../support/kernel/file-tree.ts';
import { policyOf } from '../../../support/kernel/policies.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const BEFORE = 'one\ntwo\nthree\n';
const AFTER = 'one\n2\nthree\n';
const EDIT = { path: 'a.txt', old_string: 'two', new_string: '2' };

const patchTo = (after: string) => ({ patch: createUnifiedDiff('a.txt', BEFORE, after), sha256: sha256Of(after) });

/** An edit of a real file, with a sandbox that answers with `result`. */
async function edit(result: unknown, { input = EDIT, maxBytes = 1000 } = {}) {
  const workspace = await fixture({ 'a.txt': BEFORE }).open();
  const policy = policyOf(
    `capabilities: [{ name: all, match: { syscall: fs.edit }, action: allow, constraints: { max_file_size: ${maxBytes} } }]`,
  );
  const kernel = testKernel({ state: 'exploring', mode: 'explore', workspace, policy });
  kernel.sandboxes.tools.set('fs.write', () => result);
  return { reply: await callTool(kernel, 'fs.edit', input), text: await textOf(workspace, 'a.txt') };
}

describe('a patch from a sandbox', () => {
  it('is applied if it leads to the requested content', async () => {
    const { reply, text } = await edit(patchTo(AFTER));
    expect(reply).toMatchObject({ ok: true, content: 'Modified a.txt, +1 -1' });
    expect(text).toBe(AFTER);
  });

  const ELSEWHERE = 'sandbox_failed: The patch does not lead to the requested content; nothing was written.';
  it.each([
    ['more than was requested', patchTo('one\n2\nthree\nbackdoor\n'), EDIT, ELSEWHERE],
    ['another place', patchTo('one\ntwo\n2\n'), EDIT, ELSEWHERE],
    ['nothing', patchTo(BEFORE), EDIT, ELSEWHERE],
    ['no patch', { text: 'done' }, EDIT, 'sandbox_failed: The tool returned an invalid patch.'],
    [
      'something else than it announced',
      { ...patchTo(AFTER), sha256: sha256Of('other') },
      EDIT,
      'sandbox_failed: The patch does not lead to what the tool announced; nothing was written.',
    ],
  ])('is refused if it changes %s', async (_, result, input, refusal) => {
    const { reply, text } = await edit(result, { input });
    expect(reply).toMatchObject({ ok: false, content: refusal });
    expect(text).toBe(BEFORE);
  });

  it.each([
    [AFTER.length, 'Modified a.txt, +1 -1', AFTER],
    [
      AFTER.length - 1,
      `policy_denied: Policy denies fs.edit: a.txt: the file would have ${AFTER.length} bytes, more than the ${AFTER.length - 1} that it allows`,
      BEFORE,
    ],
  ])('of a file that may have %i bytes is measured by the whole file', async (maxBytes, content, left) => {
    const { reply, text } = await edit(patchTo(AFTER), { maxBytes });
    expect(reply.content).toBe(content);
    expect(text).toBe(left);
  });
});

describe('a file that cannot be patched', () => {
  it.each([
    ['fs.edit', { ...EDIT, path: 'new.txt' }, 'not_found: new.txt does not exist. Use fs.write for a new file.'],
    ['fs.write', { path: 'src', content: 'x' }, 'conflict: src is a directory.'],
    ['fs.edit', { ...EDIT, path: 'src' }, 'conflict: src is a directory.'],
    [
      'fs.write',
      { path: 'huge.txt', content: 'x' },
      'too_large: huge.txt has 4194305 bytes; at most 4194304 can be edited.',
    ],
  ])('%s says why: %j', async (tool, input, content) => {
    const kernel = testKernel({ files: { 'src/a.js': 'x', 'huge.txt': 'x'.repeat(4 * 1024 * 1024 + 1) } });
    expect(await callTool(kernel, tool, input)).toMatchObject({ ok: false, content });
    expect(kernel.sandboxes.operations).toEqual([]);
  });

  it('is one that changes while its patch is made', async () => {
    const kernel = testKernel({ files: { 'a.js': 'x' } });
    const write = kernel.sandboxes.tools.get('fs.write');
    kernel.sandboxes.tools.set('fs.write', (run) => {
      kernel.workspace.edit('a.js', 'from elsewhere');
      return write?.(run);
    });
    expect(await callTool(kernel, 'fs.write', { path: 'a.js', content: 'y' })).toMatchObject({
      ok: false,
      content: 'conflict: a.js changed while it was being written. Read it again.',
    });
    expect(kernel.workspace.text('a.js')).toBe('from elsewhere');
  });
});
