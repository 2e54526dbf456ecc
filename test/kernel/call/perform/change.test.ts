import { describe, expect, it } from 'vitest';
import { callTool } from '../../../support/kernel/calls.ts';
import type { FakeTool } from '../../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const FILES = { 'src/a.js': 'a', 'src/sub/b.js': 'b', 'src/c.js': 'c' };

/** A call with a sandbox that does its work in this way. */
async function change(tool: string, input: object, work?: FakeTool) {
  const kernel = testKernel({ state: 'exploring', mode: 'explore', files: FILES });
  if (work !== undefined) kernel.sandboxes.tools.set(tool, work);
  const reply = await callTool(kernel, tool, input);
  return { ...kernel, reply };
}

describe('files that are deleted or moved', () => {
  it('are gone with all beneath them, and the capability names each', async () => {
    const { reply, workspace, audit } = await change('fs.delete', { path: 'src/sub' });
    expect(reply).toMatchObject({ ok: true, content: 'Deleted src/sub' });
    expect(workspace.accepted).toEqual(['src/sub/b.js']);
    const issued = audit.durable.find(({ event_type }) => event_type === 'capability_issued');
    expect(issued).toMatchObject({ input_summary: 'src/sub src/sub/b.js' });
  });

  it('are at their new place', async () => {
    const { reply, workspace } = await change('fs.move', { from: 'src', to: 'lib' });
    expect(reply).toMatchObject({ ok: true, content: 'Moved src to lib' });
    expect([workspace.text('lib/sub/b.js'), workspace.text('src/sub/b.js')]).toEqual(['b', null]);
  });

  it.each<[string, FakeTool, string]>([
    [
      'changes another file',
      ({ files }) => {
        files.delete('src/a.js');
        files.delete('src/c.js');
        return { entries: 1 };
      },
      'sandbox_failed: The sandbox changed src/c.js that it was not asked to; nothing was kept.',
    ],
    [
      'answers with no result',
      ({ files }) => {
        files.delete('src/a.js');
        return 'done';
      },
      'sandbox_failed: The sandbox changed something that it was not asked to; nothing was kept.',
    ],
  ])('stay where they are if the sandbox %s', async (_, work, content) => {
    const { reply, workspace } = await change('fs.delete', { path: 'src/a.js' }, work);
    expect(reply).toMatchObject({ ok: false, content });
    expect(workspace.accepted).toEqual([]);
    expect(workspace.text('src/a.js')).toBe('a');
  });
});
