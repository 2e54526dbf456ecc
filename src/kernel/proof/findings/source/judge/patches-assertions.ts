import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, firstName } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';

const JUDGES =
  /^(?:assert|expect|chai|should|describe|it|test|vi|jest|unittest|pytest|_pytest|Bun|Deno|builtins|TestCase|AssertionError)$/;
/** Objects that the runner shares with the project. */
const SHARED =
  /^(?:Object|JSON|Math|Array|String|Number|Function|Promise|Error|Readable|Writable|EventEmitter|Map|Set|RegExp)$/;
/** Objects whose own members are called, not those of a prototype. */
const STATIC = /^(?:JSON|Math|Object|Number|Array)$/;
const SETS = /^(?:Object\.definePropert(?:y|ies)|Object\.assign|Reflect\.set|setattr|assert\.register)$/;
const TARGETS = new Set(['identifier', 'member_expression', 'attribute']);

/** Code that replaces functions of assertions, runners or shared built-in objects. */
export const patchesAssertions: Inspection = {
  kind: 'patches-assertions',
  *look(file) {
    const own = ownNames(file);
    for (const node of addedNodes(file)) {
      const target = changedObject(node, file.text);
      if (target === null) continue;
      const [first = '', ...rest] = chainOf(target, file.text);
      const isShared = SHARED.test(first) && (rest[0] === 'prototype' || STATIC.test(first));
      const isGlobal = /^(?:globalThis|global|window)$/.test(first) && isBuiltIn(node, file.text);
      if (own.has(first) || !(JUDGES.test(first) || isShared || isGlobal)) continue;
      yield { line: node.line, words: `it replaces a part of ${plainText(target, file.text)}` };
    }
  },
};

/** `globalThis.Number = …` */
function isBuiltIn(node: SyntaxNode, text: string): boolean {
  const left = childOf(node, 'left');
  const property = childOf(left, 'property');
  const name = plainText(property, text);
  return JUDGES.test(name) || SHARED.test(name);
}

/** The object that a node changes: `a.b` for `a.b.c = d`. */
function changedObject(node: SyntaxNode, text: string): SyntaxNode | null {
  if (node.kind === 'assignment_expression' || node.kind === 'assignment') {
    const left = childOf(node, 'left');
    return left === null || left.kind === 'identifier' ? null : (childOf(left, 'object') ?? childOf(left, 'value'));
  }
  if (!CALLS.has(node.kind) || !SETS.test(chainOf(node, text).join('.'))) return null;
  const [target] = argumentsOf(node);
  if (target === undefined) return null;
  return TARGETS.has(target.kind)
    ? target
    : calleeOf(node)?.kind === 'member_expression' && JUDGES.test(firstName(node, text))
      ? calleeOf(node)
      : null;
}

/** Names that the file declares. They are not those of a runner: `it` is also a word for an item. */
function ownNames({ root, text }: SourceText): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    const isDeclared =
      (node.field === 'name' && /declarator$|_declaration$|_definition$/.test(kindOf(node.parent))) ||
      (node.field === 'left' && node.parent?.kind === 'for_in_statement') ||
      node.field === 'parameter' ||
      /parameters?$/.test(kindOf(node.parent));
    if (isDeclared && !isRequired(node, text)) names.add(plainText(node, text));
  }
  return names;
}

/** `const assert = require('node:assert')` is not a name of the file. */
function isRequired(node: SyntaxNode, text: string): boolean {
  const value = childOf(node.parent, 'value');
  return /^(?:await\s+)?(?:require|import)\(/.test(plainText(value, text));
}
