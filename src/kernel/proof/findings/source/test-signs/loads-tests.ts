import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedChange, InspectedFile, Inspection } from '../../finding.ts';
import { argumentsOf, CALLS, lastName, literalOf } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';
import { constantValues } from './constant-values.ts';

/** Calls that load a module, read a file or make a path. */
const LOADS =
  /^(?:require|require_relative|import|resolve|import_module|__import__|spec_from_file_location|read(?:Text)?File(?:Sync)?|file|createReadStream|open(?:Sync|AsBlob)?|readdir(?:Sync)?|existsSync|copyFile(?:Sync)?|cp(?:Sync)?|load|read_text|read_bytes|joinpath|join|with_name|URL|Path|fileURLToPath|glob(?:Sync)?|fetch|loadEnvFile)$/;
/** Maximum depth: a constant may be made from other constants. */
const MAX_STEPS = 4;
type Constants = ReadonlyMap<string, SyntaxNode>;
const ENDINGS = [
  '',
  '.js',
  '.ts',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '.json',
  '.py',
  '.rb',
  '/index.js',
  '/index.ts',
  '/__init__.py',
];

/**
 * A source that loads a test or test data. Expected values there are not mutated and are not a change of the source.
 */
export const loadsTests: Inspection = {
  kind: 'loads-tests',
  *look(file, change) {
    const seen = new Set<string>();
    const known = constantValues(file);
    for (const node of addedNodes(file)) {
      for (const path of pathsNamedBy(node, file, known)) {
        const found = placeOf(path, file, change);
        if (found === null || seen.has(found)) continue;
        seen.add(found);
        yield { line: node.line, words: `it loads ${found}, which belongs to the tests` };
      }
    }
  },
};

/** Returns the paths that a node loads, as written. */
export function pathsNamedBy(node: SyntaxNode, { text, language }: InspectedFile, known: Constants): string[] {
  if (language === 'python' && /^import(?:_from)?_statement$/.test(node.kind)) return pythonModules(node, text);
  const from = /^(?:import|export)_statement$/.test(node.kind) ? childOf(node, 'source') : null;
  if (from !== null) return [literalOf(from, text) ?? ''];
  if (!CALLS.has(node.kind) || !LOADS.test(lastName(node, text))) return [];
  const written = argumentsOf(node).map((each) => foldedText(each, text, known));
  const parts = language === 'python' ? written.flatMap((part) => [part, modulePath(part)]) : written;
  return [...parts, parts.filter((part) => part !== '').join('/')];
}

/** The literal parts of an expression: `cwd() + '/te' + 'st/a'` gives `/test/a`. */
function foldedText(node: SyntaxNode, text: string, known: Constants, steps = MAX_STEPS): string {
  const value = literalOf(node, text);
  if (value !== null) return value;
  if (node.kind === 'call_expression' || node.kind === 'call') {
    const list = [...(childOf(node, 'function')?.children ?? []), ...argumentsOf(node)];
    return list
      .map((each) => foldedText(each, text, known, steps))
      .filter((part) => part !== '')
      .join('/');
  }
  const isList = node.kind === 'array' || node.kind === 'list';
  if (node.children.length === 0) {
    if (/^string_(?:fragment|content)$/.test(node.kind)) return plainText(node, text);
    const constant =
      steps > 0 && /^(?:identifier|constant)$/.test(node.kind) ? known.get(plainText(node, text)) : undefined;
    return constant === undefined ? '' : foldedText(constant, text, known, steps - 1);
  }
  const parts = namedChildren(node).map((each) => foldedText(each, text, known, steps));
  return parts.filter((part) => part !== '').join(isList ? '/' : '');
}

/** Paths of `from tests.fixtures import A` and `from ..test_a import b`. Each imported name may be a module too. */
function pythonModules(node: SyntaxNode, text: string): string[] {
  const from = childOf(node, 'module_name');
  const names = [...nodesOf(node)].filter(
    (each) =>
      each.kind === 'dotted_name' && above(each, (one) => one.kind === 'relative_import') === null && each !== from,
  );
  const base = from === null ? '' : modulePath(plainText(from, text));
  return [base, ...names.map((each) => posix.join(base, modulePath(plainText(each, text))))];
}

function modulePath(name: string): string {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/s.exec(name) ?? [];
  const up = dots === '' ? '' : `./${'../'.repeat(dots.length - 1)}`;
  return up + rest.replaceAll('.', '/');
}

/** The test that a path can mean, relative to the file or to the project root. */
function placeOf(written: string, { path: from, language }: InspectedFile, { isTest }: InspectedChange): string | null {
  const path = written.replace(/^file:\/\//, '').replace(/[?#].*$/s, '');
  // A single word is the name of a package or not a path.
  if (path === '' || (language !== 'python' && !/[/.]/.test(path))) return null;
  for (const base of [posix.dirname(from), '']) {
    const joined = posix.join(base, path.replace(/^\/+/, '')).replace(/^(?:\.\.\/)+/, '');
    const found = ENDINGS.map((ending) => joined + ending).find(isTest);
    if (found !== undefined) return found;
  }
  return null;
}
