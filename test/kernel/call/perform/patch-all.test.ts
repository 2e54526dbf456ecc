import { describe, expect, it } from 'vitest';
import { callTool } from '../../../support/kernel/calls.ts';
import { policyOf } from '../../../support/kernel/policies.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../../support/kernel/test-kernel.ts';

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n', 'dir/c.txt': 'four\n' };
const UPDATE = ['*** Update File: a.txt', '-two', '+2'];
const UPDATE_B = ['*** Update File: b.txt', '-three', '+3'];

async function patch(
  lines: readonly string[],
  options: TestKernelOptions = {},
  prepare?: (kernel: ReturnType<typeof testKernel>) => void,
) {
  const kernel = testKernel({ state: 'exploring', mode: 'explore', files: FILES, ...options });
  prepare?.(kernel);
  const reply = await callTool(kernel, 'fs.patch', {
    patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
  });
  const now = Object.fromEntries(
    [...Object.keys(FILES), 'new.txt', 'd.txt'].map((path) => [path, kernel.workspace.text(path)]),
  );
  return { reply, now, kernel };
}

describe('a patch of several files', () => {
  it('is one change: each file becomes what it says', async () => {
    const { reply, now, kernel } = await patch([
      ...UPDATE,
      '*** Add File: new.txt',
      '+whole',
      '*** Delete File: dir/c.txt',
      '*** Update File: b.txt',
      '*** Move to: d.txt',
    ]);
    expect(reply).toMatchObject({
      ok: true,
      content: 'Modified a.txt, +1 -1\nWrote new.txt, 1 line\nDeleted dir/c.txt\nMoved b.txt to d.txt',
    });
    expect(now).toEqual({
      'a.txt': 'one\n2\n',
      'b.txt': null,
      'dir/c.txt': null,
      'new.txt': 'whole\n',
      'd.txt': 'three\n',
    });
    expect(kernel.sandboxes.operations).toHaveLength(1);
  });

  it.each<readonly [string, readonly string[], string]>([
    ['names a file twice', [...UPDATE, '*** Delete File: a.txt'], 'a.txt'],
    ['names a file by two spellings', [...UPDATE, '*** Delete File: ./a.txt'], 'a.txt'],
    ['moves a file onto one that it changes', [...UPDATE, '*** Update File: b.txt', '*** Move to: ./a.txt'], 'a.txt'],
    [
      'deletes what is not there',
      [...UPDATE, '*** Delete File: gone.txt'],
      'not_found: gone.txt does not exist. Use fs.list to see what does.',
    ],
    [
      'changes what is not there',
      [...UPDATE, '*** Update File: gone.txt', '-a', '+b'],
      'not_found: gone.txt does not exist',
    ],
    [
      'deletes a directory',
      [...UPDATE, '*** Delete File: dir'],
      'conflict: dir is a directory. Use fs.delete or fs.move.',
    ],
    ['changes lines that are not there', [...UPDATE, '*** Update File: b.txt', '-nine', '+9'], 'b.txt'],
  ])('that %s is refused, and no file of it is changed', async (_what, lines, why) => {
    const { reply, now, kernel } = await patch(lines);
    expect(reply).toMatchObject({ ok: false, content: expect.stringContaining(why) as string });
    expect(now).toEqual({ ...FILES, 'new.txt': null, 'd.txt': null });
    expect(kernel.sandboxes.operations).toEqual([]);
  });

  it('that changes a file which is no text is refused', async () => {
    const { reply } = await patch([...UPDATE, ...UPDATE_B], {}, ({ workspace }) => {
      const read = workspace.read.bind(workspace);
      workspace.read = async (path, maxBytes) => {
        const found = await read(path, maxBytes);
        return found.kind === 'file' && path === 'b.txt' ? { ...found, bytes: Buffer.from([0xff, 0xfe]) } : found;
      };
    });
    expect(reply).toMatchObject({
      ok: false,
      content: 'conflict: b.txt is not UTF-8 text; it can be deleted, not edited.',
    });
  });

  it('is dropped whole where the sandbox writes something else to one file', async () => {
    const { reply, now } = await patch([...UPDATE, ...UPDATE_B], {}, ({ sandboxes }) => {
      const shipped = sandboxes.tools.get('fs.patch');
      sandboxes.tools.set('fs.patch', (run) => {
        const result = shipped?.(run);
        run.files.set('b.txt', { text: 'backdoor\n', executable: false });
        return result;
      });
    });
    expect(reply.content).toBe('sandbox_failed: The sandbox wrote something else to b.txt; nothing was kept.');
    expect(now).toMatchObject(FILES);
  });

  it('is dropped whole where the sandbox removes a file that was to be changed', async () => {
    const { reply, now } = await patch(
      [...UPDATE, ...UPDATE_B],
      {},
      ({ sandboxes }) =>
        void sandboxes.tools.set('fs.patch', ({ files }) => {
          files.delete('a.txt');
          files.delete('b.txt');
          return { entries: 2 };
        }),
    );
    expect(reply.content).toBe('sandbox_failed: The sandbox wrote something else to a.txt; nothing was kept.');
    expect(now).toMatchObject(FILES);
  });

  it('is dropped whole where one file would be larger than policy allows', async () => {
    const policy = policyOf(
      'capabilities: [{ name: all, match: { syscall: [fs.patch, fs.edit] }, action: allow, constraints: { max_file_size: 7 } }]',
    );
    const { reply, now } = await patch(['*** Update File: a.txt', '-two', '+2 and more', ...UPDATE_B], { policy });
    expect(reply.content).toMatch(
      /^policy_denied: Policy denies fs\.(?:patch|edit): a\.txt: the file would have 15 bytes, more than the 7/,
    );
    expect(now).toMatchObject(FILES);
  });
});
