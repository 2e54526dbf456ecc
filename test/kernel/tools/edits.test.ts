import { describe, expect, it } from 'vitest';
import { callTool } from '../../support/kernel/calls.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const FILES = { 'src/a.js': 'one\n  two\nthree\n', 'src/b.js': 'b\n', 'src/c.js': 'c\n' };
const open = (options: TestKernelOptions = {}) =>
  testKernel({ state: 'exploring', mode: 'explore', files: FILES, ...options });
const patchOf = (...lines: readonly string[]) => ({ patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

describe('several edits of one call', () => {
  const edits = [
    { old_string: 'one', new_string: '1' },
    { old_string: '1\n', new_string: 'I\n' },
  ];

  it('are made one after the other', async () => {
    const kernel = open();
    expect(await callTool(kernel, 'fs.edit', { path: 'src/a.js', edits })).toMatchObject({ ok: true });
    expect(kernel.workspace.text('src/a.js')).toBe('I\n  two\nthree\n');
  });

  it('are all made or none', async () => {
    const kernel = open();
    const more = [...edits, { old_string: 'nowhere to be found', new_string: '' }];
    const reply = await callTool(kernel, 'fs.edit', { path: 'src/a.js', edits: more });
    expect(reply.content).toMatch(/^edit_no_match: src\/a\.js: edit 3 of 3, so none was made: /);
    expect(kernel.workspace.text('src/a.js')).toBe(FILES['src/a.js']);
  });

  it.each([{}, { old_string: 'one' }, { old_string: 'one', new_string: 'x', edits }])(
    'come in place of a single one: %j',
    async (input) => {
      const reply = await callTool(open(), 'fs.edit', { path: 'src/a.js', ...input });
      expect(reply.content).toContain('Give old_string and new_string, or edits.');
    },
  );
});

describe('an edit whose old text is not quite that of the file', () => {
  it('says so to the model, to people and to the audit log', async () => {
    const kernel = open();
    const input = { path: 'src/a.js', old_string: '\ttwo\nthree\n', new_string: '\t2\nthree\n' };
    const content = (
      await callTool(kernel, 'fs.edit', {
        ...input,
        old_string: 'one\n\ttwo\nthree\n',
        new_string: 'one\n\t2\nthree\n',
      })
    ).content;
    expect(content).toBe(
      'Modified src/a.js, +1 -1 (the old text differs from the file in indentation; its one place was taken)',
    );
    expect(kernel.workspace.text('src/a.js')).toBe('one\n  2\nthree\n');
    expect(kernel.eventsOf('tool.finished')[0]?.summary).toBe(content);
    expect(kernel.audit.records).toContainEqual(
      expect.objectContaining({ event_type: 'tool_result', output_summary: content }),
    );
  });
});

describe('a patch', () => {
  const all = patchOf(
    '*** Update File: src/a.js',
    '@@ one',
    '-  two',
    '+  2',
    '*** Add File: src/new.js',
    '+new',
    '*** Update File: src/b.js',
    '*** Move to: lib/b.js',
    '@@',
    '-b',
    '+B',
    '*** Delete File: src/c.js',
  );

  it('changes, adds, moves and deletes files as one change', async () => {
    const kernel = open();
    const reply = await callTool(kernel, 'fs.patch', all);
    expect(reply).toMatchObject({
      ok: true,
      content:
        'Modified src/a.js, +1 -1\nWrote src/new.js, 1 line\nMoved src/b.js to lib/b.js; Modified lib/b.js, +1 -1\nDeleted src/c.js',
    });
    const texts = ['src/a.js', 'src/new.js', 'src/b.js', 'lib/b.js', 'src/c.js'].map((path) =>
      kernel.workspace.text(path),
    );
    expect(texts).toEqual(['one\n  2\nthree\n', 'new\n', null, 'B\n', null]);
    expect(kernel.sandboxes.operations).toHaveLength(1);
    const { diff } = kernel.eventsOf('tool.finished')[0] ?? {};
    for (const line of ['+  2', '+new', '+B', '-c']) expect(diff?.split('\n')).toContain(line);
  });

  it('of one file that is written needs no workspace', async () => {
    const kernel = open();
    const reply = await callTool(kernel, 'fs.patch', patchOf('*** Update File: src/b.js', '@@', '-b', '+B'));
    expect(reply.content).toBe('Modified src/b.js, +1 -1');
    expect(kernel.sandboxes.operations).toMatchObject([{ slot: null, method: 'fs.write' }]);
  });

  it.each([
    [
      'a hunk fits nowhere',
      ['*** Update File: src/a.js', '@@', '-nowhere at all', '+x'],
      'edit_no_match: src/a.js: hunk 1',
    ],
    ['a file is missing', ['*** Update File: src/no.js', '@@', '-x', '+y'], 'not_found: src/no.js does not exist.'],
    ['a file to delete is missing', ['*** Delete File: src/no.js'], 'not_found: src/no.js'],
    ['a directory would go', ['*** Delete File: src'], 'conflict: src is a directory.'],
    ['it cannot be read', ['*** Rename File: a'], 'invalid_input: '],
  ])('changes nothing if %s', async (_, lines, why) => {
    const kernel = open();
    const reply = await callTool(kernel, 'fs.patch', patchOf('*** Update File: src/c.js', '@@', '-c', '+C', ...lines));
    expect(reply.content).toContain(why);
    expect(kernel.workspace.accepted).toEqual([]);
    expect(kernel.workspace.text('src/c.js')).toBe('c\n');
  });

  it('names a file once, however it spells it', async () => {
    const kernel = open();
    const lines = ['*** Update File: src/b.js', '-b', '+B', '*** Update File: ./src/b.js', ' b', '+c'];
    const reply = await callTool(kernel, 'fs.patch', patchOf(...lines));
    expect(reply.content).toContain('The patch names src/b.js twice');
    expect(kernel.workspace.text('src/b.js')).toBe('b\n');
  });

  it('is kept only if each file became what the patch says', async () => {
    const kernel = open();
    const honest = kernel.sandboxes.tools.get('fs.patch');
    kernel.sandboxes.tools.set('fs.patch', (run) => {
      const result = honest?.(run);
      run.files.set('src/new.js', { text: 'backdoor\n', executable: false });
      return result;
    });
    const reply = await callTool(kernel, 'fs.patch', all);
    expect(reply.content).toContain(
      'sandbox_failed: The sandbox wrote something else to src/new.js; nothing was kept.',
    );
    expect(kernel.workspace.accepted).toEqual([]);
  });

  it.each([
    ['fs.edit', 'src/a.js'],
    ['fs.write', 'src/new.js'],
    ['fs.move', 'src/b.js'],
    ['fs.move', 'lib/b.js'],
    ['fs.write', 'lib/b.js'],
    ['fs.delete', 'src/c.js'],
  ])('is asked about as the tools that it stands for: a rule against %s of %s holds', async (syscall, path) => {
    const policy = policyOf(`capabilities:
  - { name: all, match: { syscall: [fs.write, fs.edit, fs.move, fs.delete] }, action: allow }
  - { name: no, match: { syscall: ${syscall}, path_glob: [${path}] }, action: deny, reason: kept }`);
    const kernel = open({ policy });
    expect((await callTool(kernel, 'fs.patch', all)).content).toBe('policy_denied: Policy denies fs.patch: kept');
    expect(kernel.eventsOf('policy.decision')).toMatchObject([{ syscall, decision: 'denied' }]);
    expect(kernel.session.snapshot.last_refusal).toMatchObject({ syscall, target: path });
    expect(kernel.sandboxes.operations).toEqual([]);
  });

  it.each([
    ['test_writing', 'fs.patch on src/a.js is not open in state test_writing.'],
    ['planning', 'fs.patch is not open in state planning.'],
  ] as const)('is closed in %s as any write is', async (state, why) => {
    expect((await callTool(open({ state, mode: 'strict' }), 'fs.patch', all)).content).toContain(why);
  });
});

it.each([{ old_string: 'one', new_string: '1' }, { edits: [{ old_string: 'a', new_string: 'b' }] }])(
  'an edit of a file that does not exist is refused: %j',
  async (input) => {
    const kernel = open();
    const reply = await callTool(kernel, 'fs.edit', { path: 'src/new.js', ...input });
    expect(reply.content).toContain('not_found: src/new.js does not exist. Use fs.write for a new file.');
    expect(kernel.workspace.text('src/new.js')).toBeNull();
  },
);
