import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../../src/kernel/call/perform/patch.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';

describe('shell.run with a text for its command', () => {
  const commandsOf = (input: unknown) => {
    const used = TOOLS.find('shell.run')?.use(input);
    return used?.kind === 'ok' ? used.use.commands : used?.why;
  };

  it('runs it as a script', () => {
    expect(commandsOf({ command: 'ls -la | head' })).toEqual([['sh', '-c', 'ls -la | head']]);
    expect(commandsOf({ command: ['ls', '-la'] })).toEqual([['ls', '-la']]);
  });

  it('does not choose between two ways', () => {
    expect(commandsOf({ command: 'ls', script: 'pwd' })).toContain('command');
    expect(commandsOf({ command: 'ls', commands: [['pwd']] })).toContain('exactly one');
  });
});

it('says nothing of bounds that no honest text meets, and keeps them', () => {
  expect(JSON.stringify(TOOLS.specs())).not.toMatch(/"(?:minLength|maxLength)":|"pattern":"|9007199254740991/);
  expect(TOOLS.find('fs.read')?.use({ path: '' })).toMatchObject({ kind: 'invalid' });
});

it('no two tools have one synonym, and none is the name of a tool', () => {
  const synonyms = TOOLS.names.flatMap((name) => TOOLS.find(name)?.synonyms ?? []);
  expect(new Set(synonyms).size).toBe(synonyms.length);
  expect(synonyms.filter((word) => TOOLS.find(word) !== undefined || word !== word.toLowerCase())).toEqual([]);
});

it.each([
  ['a\nb\nc\n', '3 lines'],
  ['a\nb', '2 lines'],
  ['a\n', '1 line'],
  ['', '0 lines'],
])('a new file with %j has %s', (text, words) => {
  expect(summaryOf('x', null, text, '')).toBe(`Wrote x, ${words}`);
});

describe('inputs as other agents write them', () => {
  const read = (tool: string, input: unknown): unknown => {
    const used = TOOLS.find(tool)?.use(input);
    return used?.kind === 'ok' ? used.use.input : used?.why;
  };

  it.each<[string, unknown, object]>([
    ['fs.read', { file_path: 'a', offset: '40', limit: '20' }, { path: 'a', offset: 40, limit: 20 }],
    ['fs.read', { filePath: 'a', offset: 0, limit: null }, { path: 'a', offset: 1 }],
    ['fs.read', { path: 'a', view_range: [10, 19] }, { path: 'a', offset: 10, limit: 10 }],
    ['fs.read', { path: 'a', view_range: [10, -1] }, { path: 'a', offset: 10 }],
    [
      'fs.read',
      { target_file: 'a', start_line: 3, end_line: 5, explanation: 'why' },
      { path: 'a', offset: 3, limit: 3 },
    ],
    ['fs.read', '{"path":"a"}', { path: 'a' }],
    ['git.status', null, {}],
    ['test.run', { paths: 'test/a.test.ts' }, { paths: ['test/a.test.ts'] }],
    ['test.run', { files: ['test/a.test.ts'], coverage: true }, { paths: ['test/a.test.ts'] }],
    ['plan.complete', { summary: 'A cache' }, { summary: 'A cache', steps: [] }],
    [
      'plan.complete',
      { plan: 'A cache', kind: 'bugfix', steps: [{ step: 'red', status: 'pending' }] },
      { summary: 'A cache', kind: 'fix', steps: ['red'] },
    ],
    ['todo.update', { items: ['red'] }, { items: [{ text: 'red', state: 'open' }] }],
    ['fs.list', {}, { path: '.' }],
    ['test.run', { path: 'test/a.test.ts' }, { paths: ['test/a.test.ts'] }],
    [
      'workflow.request_exemption',
      { category: 'documentation', paths: 'README.md', justification: 'typo' },
      { category: 'documentation', affected_paths: ['README.md'], reason: 'typo' },
    ],
    ['test.run', { paths: '["test/a.test.ts"]' }, { paths: ['test/a.test.ts'] }],
    ['fs.write', { file_path: 'a', file_text: 'x' }, { path: 'a', content: 'x' }],
    [
      'fs.edit',
      { command: 'str_replace', path: 'a', old_str: 'x', new_str: 'y' },
      { path: 'a', old_string: 'x', new_string: 'y' },
    ],
    ['fs.edit', { path: 'a', oldText: 'x', newText: 'y' }, { path: 'a', old_string: 'x', new_string: 'y' }],
    [
      'fs.edit',
      { file_path: 'a', edits: '[{"oldText":"x","newText":"y","replaceAll":"true"}]' },
      { path: 'a', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] },
    ],
    ['shell.run', { command: 'ls', description: 'List', timeout: 30 }, { script: 'ls', timeout_ms: 30_000 }],
    ['shell.run', { command: 'ls', timeout: 120_000, is_background: false }, { script: 'ls', timeout_ms: 120_000 }],
    ['shell.run', { command: '["ls","-l"]' }, { command: ['ls', '-l'] }],
    [
      'shell.run',
      { commands: ['ls | wc', 'pwd'] },
      {
        commands: [
          ['sh', '-c', 'ls | wc'],
          ['sh', '-c', 'pwd'],
        ],
      },
    ],
    [
      'search.grep',
      { pattern: 'x', include: '*.ts', '-i': true, '-n': true, output_mode: 'content' },
      { pattern: 'x', glob: '*.ts', ignore_case: true },
    ],
    [
      'todo.update',
      { todos: [{ id: '1', content: 'Do', status: 'in_progress', priority: 'high' }] },
      { items: [{ text: 'Do', state: 'doing' }] },
    ],
  ])('%s reads %j', (tool, sent, expected) => {
    expect(read(tool, sent)).toEqual(expected);
  });

  it.each<[string, unknown, string]>([
    [
      'a field that would change what is done',
      { path: 'a', content: 'x', append: true },
      'There is no field "append".',
    ],
    ['two names of one field', { path: 'a', file_path: 'b', content: 'x' }, 'There is no field "file_path".'],
    [
      'two foreign names of one field',
      { file: 'a', file_path: 'b', content: 'x' },
      'There is no field "file", "file_path".',
    ],
    ['a list in place of a text', { path: 'a', content: ['x'] }, 'expected string'],
  ])('refuses %s, and names the fields', (_what, sent, why) => {
    expect(read('fs.write', sent)).toContain(why);
  });

  it('runs nothing in the background', () => {
    expect(read('shell.run', { command: 'sleep 9', run_in_background: true })).toContain(
      'Fields: command, commands, script, effects, cwd, stdin, timeout_ms.',
    );
  });

  it('keeps what a key named __proto__ brings out of every input', () => {
    expect(read('fs.read', '{"path":"a","__proto__":{"offset":2}}')).toContain('expected object');
  });
});
