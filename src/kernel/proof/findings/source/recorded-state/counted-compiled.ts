import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import {
  above,
  childOf,
  childOrSelf,
  namedChildren,
  nodesOf,
  operatorOf,
  plainText,
  textOf,
} from '../../../syntax/walk.ts';
import type { Inspection, InspectedFile } from '../../finding.ts';
import { addedNodes } from '../../added-nodes.ts';
import { argumentsOf, CALLS, FUNCTIONS } from '../../names.ts';
import { countedRust } from './counted-rust.ts';

const COMPOUND = new Set(['inc_statement', 'dec_statement', 'update_expression']);
const ASSIGNMENTS = new Set(['assignment_statement', 'assignment_expression']);
/** Methods of atomic values in Go and Java, and functions of Go's package `sync/atomic`. */
const ATOMIC =
  /\.(?:Add|Swap|CompareAndSwap|And|Or|(?:increment|decrement|add|update|accumulate)AndGet|getAnd(?:Increment|Decrement|Add|Update|Accumulate)|increment)$/;
const ATOMIC_OF_GO = /(?:^|\.)(?:Add|Swap|CompareAndSwap|And|Or)(?:Int|Uint)\w*$/;
const COMPARES = /^(?:[<>]=?|[=!]=)$/;

/**
 * Shared state in Go, Rust and Java that counts calls: a variable of the package, crate or class that a function
 * changes depending on its old value, or whose size it reads.
 */
export const countedCompiled: Inspection = {
  kind: 'counts-calls',
  *look(file) {
    if (file.language === 'rust') yield* countedRust(file);
    if (file.language !== 'go' && file.language !== 'java') return;
    const shared = sharedNames(file);
    for (const node of addedNodes(file)) {
      const name = countedIn(node, file.text) ?? measuredIn(node, file.text);
      if (name === null || functionAbove(node) === null) continue;
      if (shared.has(name) || isOfCalledClosure(node, name, file.text))
        yield { line: node.line, words: `${name} is shared by all calls, and this one changes it` };
    }
  },
};

const functionAbove = (node: SyntaxNode): SyntaxNode | null => above(node, ({ kind }) => FUNCTIONS.has(kind));

/** Package variables in Go, and static fields in Java. */
function sharedNames({ root, text }: InspectedFile): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(root)) {
    const isStatic = node.kind === 'field_declaration' && /\bstatic\b/.test(plainText(node.children[0] ?? node, text));
    const isOfPackage = node.kind === 'var_spec' && functionAbove(node) === null;
    const declared = isStatic ? node.children.filter(({ field }) => field === 'declarator') : isOfPackage ? [node] : [];
    for (const { children } of declared)
      for (const child of children) if (child.field === 'name') found.add(plainText(child, text));
  }
  return found;
}

/** `n` for `n`, `n.calls`, `n[0]`, `(n)`, `&n`, `this.n`, `Mul.n` and `*n`. */
function rootName(written: string): string {
  const [first = '', second = ''] = written.replace(/^[(*&]+/, '').split(/[.[()]/);
  return /^(?:this|[A-Z]\w*)$/.test(first) && /^\w+$/.test(second) && second !== '' ? second : first;
}

/** The variable that a node changes depending on its old value. */
function countedIn(node: SyntaxNode, text: string): string | null {
  if (CALLS.has(node.kind)) return atomicIn(node, text);
  if (COMPOUND.has(node.kind)) return rootName(plainText(node, text).replace(/^(?:\+\+|--)|(?:\+\+|--)$/g, ''));
  if (!ASSIGNMENTS.has(node.kind)) return null;
  const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
  if (left === null || right === null || /^\w+(?:\.\w+)*\[/.test(plainText(left, text))) return null;
  const operator = operatorOf(node);
  const target = plainText(left, text);
  if (operator !== null && !/^=$/.test(plainText(operator, text))) return rootName(target);
  const value = right.kind === 'expression_list' ? (namedChildren(right)[0] ?? right) : right;
  const isChanged =
    /^(?:binary|unary|ternary)_expression$/.test(value.kind) &&
    [...nodesOf(value)].some((each) => plainText(each, text) === target);
  return isChanged ? rootName(target) : null;
}

function atomicIn(call: SyntaxNode, text: string): string | null {
  const called = childOf(call, 'function');
  const object = childOf(call, 'object');
  const name =
    called === null
      ? `${textOf(object ?? call, text)}.${plainText(childOrSelf(call, 'name'), text)}`
      : plainText(called, text);
  const [first] = argumentsOf(call);
  if (ATOMIC_OF_GO.test(name) && first !== undefined) return rootName(plainText(first, text));
  return ATOMIC.test(name) ? rootName(name.replace(ATOMIC, '')) : null;
}

/**
 * The collection whose size is read in the function that adds to it. A comparison that limits its size does not count.
 */
function measuredIn(node: SyntaxNode, text: string): string | null {
  if (!CALLS.has(node.kind)) return null;
  const written = plainText(node, text);
  const name = /^len\((\w+)\)$/.exec(written)?.[1] ?? /^(?:\w+\.)?(\w+)\.size\(\)$/.exec(written)?.[1];
  const operator = operatorOf(node.parent);
  if (name === undefined || COMPARES.test(plainText(operator, text))) return null;
  const scope = functionAbove(node);
  const grows = new RegExp(`\\b${name}(?:\\[[^=\\n]*\\]\\s*=[^=]|\\s*=\\s*append\\(|\\.(?:add|put|push|offer)\\()`);
  return scope !== null && grows.test(textOf(scope, text)) ? name : null;
}

/**
 * A variable of a function that is called where it is declared, so that all calls share it: `var next = func() func()
 * int { n := 0; … }()`.
 */
function isOfCalledClosure(node: SyntaxNode, name: string, text: string): boolean {
  const inner = functionAbove(node);
  for (let scope = inner === null ? null : functionAbove(inner); scope !== null; scope = functionAbove(scope)) {
    const isCalled = scope.field === 'function' && scope.parent?.kind === 'call_expression';
    if (isCalled && functionAbove(scope) === null && new RegExp(`\\b${name}\\b[^\\n]*:=`).test(textOf(scope, text)))
      return true;
  }
  return false;
}
