import { describe, expect, it } from 'vitest';
import type { Commits } from '../../../../src/kernel/services.ts';
import { callTool } from '../../../support/kernel/calls.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const FILES = {
  '.gitattributes': '*.md text\n',
  'config/.gitattributes': '*.secret filter=vault\n',
  'config/a.secret': 'one\n',
  'config/a.txt': 'one\n',
  'b.txt': 'one\n',
};

function kernel(commits: Partial<Commits> = {}) {
  const made = testKernel({ state: 'exploring', mode: 'explore', files: FILES, commits });
  made.sandboxes.tools.set('git.filters', ({ operation }) => {
    const { paths } = operation.params as { paths: string[] };
    return {
      filtered: paths.filter((path) => path.endsWith('.secret')).map((path) => ({ path, filter: 'vault' })),
    };
  });
  return made;
}

const patch = (...lines: string[]) => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

describe('a file that goes through a git filter', () => {
  it.each<[string, string, object]>([
    ['written', 'fs.write', { path: 'config/a.secret', content: 'two\n' }],
    ['written anew', 'fs.write', { path: 'config/new.secret', content: 'two\n' }],
    ['edited', 'fs.edit', { path: 'config/a.secret', old_string: 'one', new_string: 'two' }],
    ['patched', 'fs.patch', patch('*** Update File: config/a.secret', '-one', '+two')],
    [
      'patched beside another',
      'fs.patch',
      patch('*** Update File: b.txt', '-one', '+two', '*** Update File: config/a.secret', '-one', '+two'),
    ],
    ['moved to', 'fs.move', { from: 'b.txt', to: 'config/b.secret' }],
  ])('is not %s, and the model reads why and what to do', async (_, tool, input) => {
    const made = kernel();
    const reply = await callTool(made, tool, input);
    expect(reply.ok).toBe(false);
    expect(reply.content).toMatch(/config\/\w+\.secret goes through the git filter "vault"/);
    expect(reply.content).toMatch(/do not run here.*without a change of this file.*task\.give_up/);
    expect(await made.workspace.changes()).toEqual([]);
  });

  it('is deleted, since nothing of it is stored then', async () => {
    const made = kernel();
    expect(await callTool(made, 'fs.delete', { path: 'config/a.secret' })).toMatchObject({ ok: true });
    const input = patch('*** Delete File: config/a.secret', '*** Update File: b.txt', '-one', '+two');
    expect(await callTool(kernel(), 'fs.patch', input)).toMatchObject({ ok: true });
  });

  it('closes no file beside it', async () => {
    const made = kernel();
    expect(await callTool(made, 'fs.write', { path: 'config/a.txt', content: 'two\n' })).toMatchObject({ ok: true });
  });
});

it('git is asked about every file where its own attributes name a filter', async () => {
  const made = kernel({ namesFilter: () => Promise.resolve(true) });
  expect(await callTool(made, 'fs.write', { path: 'b.secret', content: 'two\n' })).toMatchObject({ ok: false });
  expect(await callTool(made, 'fs.write', { path: 'b.txt', content: 'two\n' })).toMatchObject({ ok: true });
});

it('git is asked only below an attributes file that names a filter', async () => {
  const made = kernel();
  await callTool(made, 'fs.write', { path: 'b.txt', content: 'two\n' });
  expect(made.sandboxes.operations.map(({ method }) => method)).toEqual(['fs.write']);
});

it('a write goes on where git gives no answer: the commit is refused in the end', async () => {
  const made = kernel();
  made.sandboxes.tools.set('git.filters', () => ({ nonsense: true }));
  expect(await callTool(made, 'fs.write', { path: 'config/a.secret', content: 'two\n' })).toMatchObject({ ok: true });
});
