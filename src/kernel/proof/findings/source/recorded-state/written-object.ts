import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, plainText } from '../../../syntax/walk.ts';
import { argumentsOf, CALLS, chainOf, lastName } from '../../names.ts';

const SETS = /^(?:Object\.(?:defineProperty|assign)|Reflect\.(?:set|defineProperty)|setattr)$/;

/** The object that a statement or call writes to, and the written value: `a.b` and `d` for `a.b.c = d`. */
export interface WrittenObject {
  readonly object: SyntaxNode;
  readonly value: SyntaxNode | null;
}

export function writtenObject(node: SyntaxNode, text: string): WrittenObject | null {
  if (node.kind === 'assignment_expression' || node.kind === 'assignment') {
    const left = childOf(node, 'left');
    const object = left === null ? null : (childOf(left, 'object') ?? childOf(left, 'value'));
    return object === null ? null : { object, value: childOf(node, 'right') };
  }
  if (!CALLS.has(node.kind) || !SETS.test(chainOf(node, text).join('.'))) return null;
  const [object, ...given] = argumentsOf(node);
  return object === undefined ? null : { object, value: given.at(-1) ?? null };
}

/**
 * Returns whether an object is a module that was loaded by its name: `require('./a')`, `import_module('a')`,
 * `sys.modules['a']`.
 */
export function isLoadedModule(object: SyntaxNode, text: string): boolean {
  if (/^(?:sys\.)?modules\[|^vars\(/.test(plainText(object, text))) return true;
  const loader = CALLS.has(object.kind) ? lastName(object, text) : '';
  if (loader !== 'require') return /^(?:import_module|__import__)$/.test(loader);
  const [path] = argumentsOf(object);
  return /^.\./.test(plainText(path, text));
}
