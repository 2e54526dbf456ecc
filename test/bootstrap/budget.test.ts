import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const FOLDER = join(import.meta.dirname, '../../src/bootstrap');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** Lines that hold at least one token: neither blank nor comment. */
function linesOfCode(text: string): number {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(source) === 0 && node.kind !== ts.SyntaxKind.EndOfFileToken && !ts.isJSDoc(node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line;
      for (let line = first; line <= last; line++) lines.add(line);
    }
    for (const child of node.getChildren(source)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(source);
  return lines.size;
}

test('counts code, not comments or blank lines', () => {
  expect(linesOfCode('/** a\n * b */\n\n// c\nconst d = 1; // e\nconst f = `\n\n`;\n')).toBe(4);
});

test('the trust anchor stays under 500 lines of code', () => {
  const total = files.reduce((sum, { text }) => sum + linesOfCode(text), 0);
  expect(files.length).toBeGreaterThan(0);
  expect(total).toBeGreaterThan(100);
  expect(total).toBeLessThan(500);
});

test('the trust anchor imports node: modules and its own folder alone', () => {
  const foreign = files.flatMap(({ name, text }) =>
    ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .filter((specifier) => !/^node:/.test(specifier) && !/^\.\/[a-z0-9-]+\.ts$/.test(specifier))
      .map((specifier) => `${name}: ${specifier}`),
  );
  expect(foreign).toEqual([]);
});
