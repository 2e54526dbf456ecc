import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TOOLS, ToolRegistry } from '../../../src/kernel/tools/registry.ts';
import { defineTool } from '../../../src/kernel/tools/tool.ts';
import type { Tool } from '../../../src/kernel/tools/tool.ts';
import { useOf } from '../../support/kernel/calls.ts';

const ALL = 'everything';
const NONE = [] as const;

/** For each tool: what a call of it says to people, and the paths that it names, reads and writes. */
const PATCH =
  '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** Delete File: d\n*** End Patch';
const USES: readonly [
  name: string,
  input: object,
  words: string,
  paths: readonly string[],
  reads: unknown,
  writes: unknown,
][] = [
  ['fs.read', { path: 'a' }, 'a', ['a'], ['a'], NONE],
  ['fs.read', { path: 'a', offset: 40 }, 'a from line 40', ['a'], ['a'], NONE],
  ['fs.list', { path: '.' }, '.', ['.'], ['.'], NONE],
  ['fs.exists', { path: 'a' }, 'a', ['a'], ['a'], NONE],
  ['search.grep', { pattern: 'x y' }, '"x y"', NONE, ALL, NONE],
  ['search.grep', { pattern: 'x', path: 'src', glob: '**/*.ts' }, '"x" src **/*.ts', ['src'], ['src'], NONE],
  ['search.glob', { pattern: '*.ts' }, '"*.ts"', NONE, ALL, NONE],
  ['search.glob', { pattern: '*.ts', path: 'src' }, '"*.ts" src', ['src'], ['src'], NONE],
  ['repo.map', {}, '', NONE, ALL, NONE],
  ['repo.map', { path: 'src', focus: ['parse'] }, 'src parse', ['src'], ['src'], NONE],
  ['output.read', { reference: 'm3.1', offset: 40 }, 'm3.1 from 40', NONE, NONE, NONE],
  ['history.search', { query: 'x "y"' }, '"x \\"y\\""', NONE, NONE, NONE],
  ['fs.write', { path: 'a', content: 'x' }, 'a', ['a'], ['a'], ['a']],
  ['fs.edit', { path: 'a', old_string: 'x', new_string: '' }, 'a', ['a'], ['a'], ['a']],
  ['fs.patch', { patch: PATCH }, 'a b c d', ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd'], ['a', 'b', 'c', 'd']],
  ['fs.delete', { path: 'a' }, 'a', ['a'], ['a'], ['a']],
  ['fs.move', { from: 'a', to: 'b' }, 'a → b', ['a', 'b'], ['a', 'b'], ['a', 'b']],
  ['test.run', {}, 'the whole suite', NONE, ALL, ALL],
  ['test.run', { paths: ['a.test.ts', 'b'] }, 'a.test.ts b', ['a.test.ts', 'b'], ALL, ALL],
  ['shell.run', { command: ['ls', '-l'] }, 'ls -l', NONE, ALL, NONE],
  ['shell.run', { script: 'ls | wc', effects: 'stage' }, 'sh -c ls | wc', NONE, ALL, ALL],
  ['deps.install', {}, 'what the lockfile names', NONE, ALL, ALL],
  ['deps.add', { name: 'ms' }, 'ms', NONE, ALL, ALL],
  ['deps.add', { name: 'ms', version: '^2', dev: true }, 'ms@^2 for development', NONE, ALL, ALL],
  ['deps.add', { name: 'ms', directory: 'packages/a' }, 'ms in packages/a', NONE, ALL, ALL],
  ['git.status', {}, '', NONE, ALL, NONE],
  ['git.diff', {}, '', NONE, ALL, NONE],
  ['git.diff', { path: 'a' }, 'a', ['a'], ALL, NONE],
  ['git.log', { path: 'a' }, 'a', ['a'], ALL, NONE],
  ['git.commit', { message: 'Subject\n\nBody' }, 'Subject', NONE, ALL, ALL],
  ['plan.complete', { summary: 'First\nthen', steps: [] }, 'First', NONE, ALL, ALL],
  [
    'workflow.request_exemption',
    { category: 'documentation', affected_paths: ['a.md', 'b.md'], reason: 'typo' },
    'documentation a.md b.md',
    ['a.md', 'b.md'],
    ALL,
    ALL,
  ],
  ['workflow.revise_tests', { reason: 'wrong\nindeed' }, 'wrong', NONE, ALL, ALL],
  ['task.give_up', { reason: 'no way' }, 'no way', NONE, ALL, ALL],
  ['user.ask', { question: 'Which?\nTell me.' }, 'Which?', NONE, ALL, ALL],
  ['todo.update', { items: [{ text: 'Red', state: 'doing' }] }, '0/1 Red', NONE, NONE, NONE],
];

/** Place, effect and plugin: rules of policy and the audit log know a tool by them. */
const KINDS: readonly [string, Tool['place'], Tool['effect'], string][] = [
  ['fs.read', 'kernel', 'read', 'fs-tool'],
  ['fs.list', 'kernel', 'read', 'fs-tool'],
  ['fs.exists', 'kernel', 'read', 'fs-tool'],
  ['search.grep', 'kernel', 'read', 'kernel'],
  ['search.glob', 'kernel', 'read', 'kernel'],
  ['repo.map', 'kernel', 'read', 'kernel'],
  ['output.read', 'kernel', 'read', 'kernel'],
  ['history.search', 'kernel', 'read', 'kernel'],
  ['fs.write', 'patch', 'write', 'fs-tool'],
  ['fs.edit', 'patch', 'write', 'fs-tool'],
  ['fs.patch', 'patch', 'write', 'fs-tool'],
  ['fs.delete', 'overlay', 'write', 'fs-tool'],
  ['fs.move', 'overlay', 'write', 'fs-tool'],
  ['test.run', 'test', 'run', 'test-tool'],
  ['shell.run', 'overlay', 'run', 'shell-tool'],
  ['deps.install', 'packages', 'run', 'package-tool'],
  ['deps.add', 'packages', 'run', 'package-tool'],
  ['git.status', 'overlay', 'read', 'git-tool'],
  ['git.diff', 'overlay', 'read', 'git-tool'],
  ['git.log', 'overlay', 'read', 'git-tool'],
  ['git.commit', 'overlay', 'workflow', 'git-tool'],
  ['plan.complete', 'kernel', 'workflow', 'kernel'],
  ['workflow.request_exemption', 'kernel', 'workflow', 'kernel'],
  ['workflow.revise_tests', 'kernel', 'workflow', 'kernel'],
  ['task.give_up', 'kernel', 'workflow', 'kernel'],
  ['user.ask', 'kernel', 'workflow', 'kernel'],
  ['todo.update', 'kernel', 'workflow', 'kernel'],
];

describe('each tool', () => {
  it.each(USES)('%s of %j says "%s", and touches these paths', (name, input, words, paths, reads, writes) => {
    expect(useOf(name, input)).toMatchObject({ words, paths, touches: { reads, writes } });
  });

  it.each(KINDS)('%s is done in %s to %s, by %s', (name, place, effect, plugin) => {
    expect(TOOLS.find(name)).toMatchObject({ place, effect, plugin: { name: plugin, tags: ['core_plugin'] } });
  });

  it('is in both tables', () => {
    expect(KINDS.map(([name]) => name)).toEqual(TOOLS.names);
    expect([...new Set(USES.map(([name]) => name))]).toEqual(TOOLS.names);
  });

  it.each(TOOLS.specs())('$name is shown to the model with a description and a closed schema', (spec) => {
    expect(spec.description).toMatch(/^[A-Z].*\.$/s);
    expect(spec.input_schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(spec.input_schema).not.toHaveProperty('$schema');
  });

  it('knows beforehand how large a file it writes, and whether it needs a network, where it can', () => {
    expect(useOf('fs.write', { path: 'a', content: 'é' }).sizeBytes).toBe(2);
    expect(useOf('fs.delete', { path: 'a' }).sizeBytes).toBeNull();
    expect(useOf('test.run', { network: true }).network).toBe('integration-test');
    expect(useOf('test.run', { network: false }).network).toBeNull();
  });
});

describe('the registry', () => {
  const tool = (name: string) =>
    defineTool({
      name,
      description: 'A tool.',
      input: z.strictObject({}),
      place: 'kernel',
      effect: 'read',
      plugin: { name: 'x', tags: [], program: null },
      states: ['planning'],
      opens: 'Never.',
      perform: () => ({ ok: true, text: '', summary: '' }),
    });

  it('takes no name that a terminal, a log or a provider could not carry', () => {
    for (const name of ['', 'a b', 'a\u001b', 'a'.repeat(65), 'ａ'])
      expect(() => tool(name)).toThrow('is no name of a tool');
  });

  it('takes no name twice, so that a server cannot replace a tool that ships', () => {
    expect(() => TOOLS.with(tool('fs.write'))).toThrow('two tools have one name');
  });

  it('is not changed by tools that are added: it makes another one', () => {
    const more = new ToolRegistry([tool('a')]).with(tool('b'));
    expect(more.names).toEqual(['a', 'b']);
    expect(more.availableIn('planning')).toEqual(['a', 'b']);
    expect(TOOLS.find('b')).toBeUndefined();
  });

  it('finds the name that a misspelt one was meant to be', () => {
    expect(TOOLS.nearest('fs.raed')).toBe('fs.read');
    expect(TOOLS.nearest('browser')).toBeNull();
  });
});
