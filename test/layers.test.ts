import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { importCycles, layerViolations } from '../bin/lint/layer-rule.ts';
import { sourceFiles } from './support/source/source-files.ts';

const MAX_LINES = 400;
const files = sourceFiles();

test('no file of the product imports across the layers', () => {
  expect(files.length).toBeGreaterThan(400);
  expect(layerViolations(files)).toEqual([]);
});

test('no files of the product import each other in a circle, types included', () => {
  expect(importCycles(files)).toEqual([]);
});

test('a circle of imports is found, and named by its files', () => {
  const circle = [
    { path: 'src/lib/a.ts', text: "import type { B } from './b.ts';" },
    { path: 'src/lib/b.ts', text: "import { c } from './c.ts';" },
    { path: 'src/lib/c.ts', text: "export * from './a.ts';" },
    { path: 'src/lib/d.ts', text: "import { a } from './a.ts';" },
  ];
  expect(importCycles(circle)).toEqual(['src/lib/a.ts -> src/lib/b.ts -> src/lib/c.ts -> src/lib/a.ts']);
});

describe('the rule', () => {
  const cases: readonly [importer: string, imported: string, allowed: boolean][] = [
    ['src/contracts/a.ts', '../lib/b.ts', true],
    ['src/lib/a.ts', '../contracts/b.ts', true],
    ['src/lib/a.ts', '../ipc/b.ts', false],
    ['src/ipc/a.ts', '../lib/b.ts', true],
    ['src/ipc/a.ts', '../kernel/audit/b.ts', false],
    ['src/bootstrap/a.ts', '../contracts/b.ts', false],
    ['src/platform/git/a.ts', '../../kernel/repository/b.ts', false],
    ['src/platform/git/a.ts', '../fs/b.ts', true],
    ['src/providers/openai/a.ts', '../../host/b.ts', false],
    ['src/host/secrets/a.ts', '../../bootstrap/b.ts', false],
    ['src/host/secrets/a.ts', '../../platform/fs/b.ts', false],
    ['src/host/setup/a.ts', '../../bootstrap/b.ts', true],
    ['src/tui/store/a.ts', '../../contracts/b.ts', true],
    ['src/tui/store/a.ts', '../../cli/b.ts', false],
    ['src/kernel/repository/a.ts', '../audit/b.ts', false],
    ['src/kernel/repository/deep/a.ts', '../b.ts', true],
    ['src/kernel/policy/a.ts', '../tools/b.ts', true],
    ['src/kernel/tools/a.ts', '../policy/b.ts', false],
    ['src/kernel/tools/a.ts', '../services.ts', false],
    ['src/kernel/tools/a.ts', '../call/b.ts', false],
    ['src/kernel/repository/a.ts', '../call/b.ts', false],
    ['src/kernel/repository/a.ts', '../services.ts', false],
    ['src/kernel/repository/a.ts', '../../platform/git/b.ts', false],
    ['src/kernel/commit/a.ts', '../repository/b.ts', true],
    ['src/kernel/commit/a.ts', '../services.ts', true],
    ['src/kernel/run/a.ts', '../call/b.ts', true],
    ['src/kernel/call/a.ts', '../run/b.ts', false],
    ['src/kernel/run/a.ts', '../serve/b.ts', false],
    ['src/kernel/run/a.ts', '../../platform/git/b.ts', false],
    ['src/kernel/run/a.ts', '../main.ts', false],
    ['src/kernel/services.ts', './session/b.ts', true],
    ['src/kernel/services.ts', './run/b.ts', false],
    ['src/kernel/services.ts', '../platform/git/b.ts', false],
    ['src/kernel/main.ts', '../platform/git/b.ts', true],
    ['src/kernel/main.ts', '../host/b.ts', false],
    ['src/cli/a.ts', '../kernel/policy/b.ts', true],
    ['src/cli/a.ts', '../../tool-plugins/fs-tool/b.ts', false],
    ['tool-plugins/fs-tool/a.ts', '../sdk/index.ts', true],
    ['tool-plugins/fs-tool/a.ts', '../git-tool/b.ts', false],
    ['tool-plugins/fs-tool/a.ts', '../../src/kernel/policy/b.ts', false],
  ];

  test.each(cases)('%s importing %s: allowed is %s', (path, specifier, allowed) => {
    const found = layerViolations([{ path, text: `import { b } from '${specifier}';\n` }]);
    expect(found.length).toBe(allowed ? 0 : 1);
  });

  test.each([
    ['a type', "import type { B } from '../ipc/b.ts';"],
    ['a re-export', "export { b } from '../ipc/b.ts';"],
    ['a dynamic import', "const b = await import('../ipc/b.ts');"],
    ['a side effect', "import '../ipc/b.ts';"],
  ])('sees %s', (_kind, text) => {
    expect(layerViolations([{ path: 'src/lib/a.ts', text }])).toEqual(['src/lib/a.ts -> src/ipc/b.ts']);
  });

  test('a folder without a rule is an error, not a hole', () => {
    expect(() => layerViolations([{ path: 'src/extras/a.ts', text: "import '../lib/b.ts';" }])).toThrow('no part');
  });
});

test(`no file of the product has more than ${MAX_LINES} lines`, () => {
  const long = files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

test('nothing switches the type checker or the linter off', () => {
  const escapes = files.flatMap(({ path, text }) =>
    /@ts-(?:ignore|expect-error|nocheck)|eslint-disable/.test(text) || saysAny(path, text) ? [path] : [],
  );
  expect(escapes).toEqual([]);
});

function saysAny(path: string, text: string): boolean {
  // To parse all files takes long, and the keyword can be written in no other way.
  if (!/\bany\b/.test(text)) return false;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): boolean =>
    node.kind === ts.SyntaxKind.AnyKeyword || ts.forEachChild(node, visit) === true;
  return visit(source);
}
