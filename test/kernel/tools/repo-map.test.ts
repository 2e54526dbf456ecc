import { describe, expect, it } from 'vitest';
import type { ParsedSource } from '../../../src/contracts/ports/syntax.ts';
import { callTool } from '../../support/kernel/calls.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import type { TestKernelOptions } from '../../support/kernel/test-kernel.ts';

const FILES = {
  'src/store.ts':
    'export interface Row {\n  id: string;\n}\nexport function openStore(path: string): Row[] {\n  return [];\n}\n',
  'src/a.ts': "import { openStore } from './store.ts';\nexport function useA() {\n  return openStore('a');\n}\n",
  'src/b.ts': "import { openStore } from './store.ts';\nexport const useB = () => openStore('b');\n",
  'src/lonely.ts': 'export function lonely() {}\n',
  'app/main.py': 'class Server:\n    def listen(self):\n        return start_loop()\n',
  'app/loop.py': 'def start_loop():\n    pass\n',
  'cmd/main.go':
    'package main\n\ntype Config struct{}\n\nfunc run(config Config) {}\n\nfunc main() {\n\trun(Config{})\n}\n',
  'README.md': '# openStore\n',
};

async function map(input: object, options: TestKernelOptions = {}): Promise<string> {
  return (await callTool(testKernel({ state: 'planning', files: FILES, ...options }), 'repo.map', input)).content;
}

describe('the map of a repository', () => {
  it('names what other files use first, with its line as it is written', async () => {
    const text = await map({});
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['src/store.ts', '  1: export interface Row {']);
    expect(text).toContain('  4: export function openStore(path: string): Row[] {');
    expect(lines.indexOf('src/store.ts')).toBeLessThan(lines.indexOf('src/lonely.ts'));
  });

  it('knows JavaScript, TypeScript, Python and Go, and no other text', async () => {
    const text = await map({});
    for (const line of [
      '  2: export const useB = () =>',
      '  1: class Server:',
      '  2: def listen(self):',
      '  1: def start_loop():',
      '  3: type Config struct{}',
      '  5: func run(config Config) {}',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('README');
  });

  it.each([
    ['a file', 'src/lonely.ts'],
    ['a directory', 'app'],
    ['a name', 'lonely'],
  ])('begins with what is asked about: %s', async (_, focus) => {
    const text = await map({ focus: [focus] });
    expect(text.split('\n')[0]).toMatch(focus === 'app' ? /^app\/(loop|main)\.py$/ : /^src\/lonely\.ts$/);
  });

  it('stays within its budget, and below its path', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`src/f${index}.js`, `export function name${index}() {}\n`]),
    );
    expect((await map({ max_tokens: 200 }, { files })).length).toBeLessThanOrEqual(700);
    expect(await map({ path: 'app' })).not.toContain('src/');
  });

  it('shows nothing of a file that policy closes', async () => {
    const policy = policyOf(`capabilities:
  - { name: all, match: { syscall: [repo.map, fs.read] }, action: allow }
  - { name: closed, match: { syscall: fs.read, path_glob: [src/] }, action: deny }`);
    const text = await map({}, { policy });
    expect(text).not.toContain('src/');
    expect(text).toContain('app/main.py');
  });

  it('gives up after 20 files that cannot be parsed: each may keep the parser for seconds', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `src/f${index}.js`);
    const files = Object.fromEntries(names.map((name) => [name, 'let x;\n']));
    let parses = 0;
    const refuse = (): Promise<ParsedSource> => {
      parses += 1;
      return Promise.resolve({ kind: 'refused', why: 'it takes too long' });
    };
    const parseSyntax = Object.assign(refuse, { completeAfter: () => Promise.resolve([]) });
    await map({}, { files, services: { parseSyntax } });
    expect(parses).toBe(21);
  });

  it('says that there is nothing for it', async () => {
    expect(await map({}, { files: { 'README.md': '#' } })).toBe('There is no source here in a supported language.');
  });
});
