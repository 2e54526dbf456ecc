import { parse } from 'acorn';
import { messageOf } from '../../../lib/text/message-of.ts';

/** Fields of a syntax tree about position or spelling, not meaning. */
const SPELLING = new Set(['start', 'end', 'loc', 'range', 'raw', 'parenthesizedExpression']);

/**
 * Pure: compares the syntax trees of two JavaScript programs. White space, comments and unnecessary parentheses are
 * ignored. Returns null if they are equal, otherwise how they differ or why they cannot be compared.
 */
export function differenceOfPrograms(before: string, after: string, sourceType: 'module' | 'script'): string | null {
  // In a script these start comments; in a module they are operators. A change of white space could switch between the
  // two.
  if ([before, after].some((code) => code.includes('<!--') || code.includes('-->'))) return 'it contains <!-- or -->';
  try {
    return sameTree(treeOf(before, sourceType), treeOf(after, sourceType)) ? null : 'its behaviour changes';
  } catch (error) {
    return `the file without its types cannot be parsed: ${messageOf(error)}`;
  }
}

function treeOf(code: string, sourceType: 'module' | 'script'): unknown {
  return parse(code, {
    ecmaVersion: 'latest',
    sourceType,
    preserveParens: true,
    allowReturnOutsideFunction: sourceType === 'script',
  });
}

/** Iterative, because sources can be nested to any depth and recursion would overflow the stack. */
function sameTree(before: unknown, after: unknown): boolean {
  const pending: [unknown, unknown][] = [[before, after]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [a, b] = pair;
    if (!isTree(a) || !isTree(b)) {
      if (!Object.is(a, b)) return false;
      continue;
    }
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = keysOf(a);
    if (keys.length !== keysOf(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      // Parentheses count here: in `(f) = function () {}` the function does not get the name `f`.
      const asIs = a['type'] === 'AssignmentExpression' && key === 'left';
      pending.push(asIs ? [a[key], b[key]] : [unwrapped(a[key]), unwrapped(b[key])]);
    }
  }
  return true;
}

type Tree = Readonly<Record<string, unknown>>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null;
}

/** A regular expression is compared by its pattern and flags, not by the object created from them. */
function keysOf(tree: Tree): string[] {
  const known = tree['regex'] !== undefined ? new Set([...SPELLING, 'value']) : SPELLING;
  // In a template `raw` is part of the value. Elsewhere it is only spelling.
  const isText = tree['cooked'] !== undefined;
  return Object.keys(tree).filter((key) => !known.has(key) || (isText && key === 'raw'));
}

function unwrapped(value: unknown): unknown {
  let inner = value;
  while (isTree(inner) && inner['type'] === 'ParenthesizedExpression') inner = inner['expression'];
  return inner;
}
