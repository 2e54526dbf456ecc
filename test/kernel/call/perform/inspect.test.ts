import { describe, expect, it } from 'vitest';
import { callTool } from '../../../support/kernel/calls.ts';
import { policyOf } from '../../../support/kernel/policies.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const POLICY = policyOf(`capabilities:
  - { name: all, match: { syscall: [git.diff, git.log, git.status, fs.read] }, action: allow }
  - { name: secret, match: { syscall: fs.read, path_glob: [.env] }, action: deny }`);

const section = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+${line}\n`;

async function inspect(tool: string, input: object, result: unknown) {
  const kernel = testKernel({ policy: POLICY, files: { 'src/a.js': 'a', '.env': 'KEY' } });
  kernel.sandboxes.tools.set(tool, ({ files }) => {
    files.set('left-behind', { text: '', executable: false });
    return result;
  });
  return { ...kernel, reply: await callTool(kernel, tool, input) };
}

describe('git, as the model sees it', () => {
  it('is what git printed; what it left behind is dropped', async () => {
    const { reply, workspace, sandboxes } = await inspect('git.log', { path: 'src/a.js' }, { text: 'abc first' });
    expect(reply).toMatchObject({ ok: true, content: 'abc first' });
    expect(workspace.accepted).toEqual([]);
    expect(sandboxes.operations).toMatchObject([{ program: 'tool:git', params: { limit: 20, path: 'src/a.js' } }]);
  });

  it('shows a diff without the files that the model may not read', async () => {
    const diff = section('src/a.js', 'seen') + section('.env', 'KEY=secret');
    const { reply } = await inspect('git.diff', {}, { diff, truncated: false });
    expect(reply.content).toContain('+seen');
    expect(reply.content).not.toContain('secret');
    expect(reply.content).toContain('(1 part left out: not open to reading)');
  });

  it.each([
    [{ diff: '', truncated: false }, true, 'No changes.'],
    [{ diff: '', truncated: true }, true, '(the diff was too long and was cut; name a path for less of it)'],
    ['+secret', false, 'sandbox_failed: The sandbox returned an invalid result for git.diff.'],
  ])('answers %j with words', async (result, ok, content) => {
    expect((await inspect('git.diff', {}, result)).reply).toMatchObject({ ok, content });
  });
});
