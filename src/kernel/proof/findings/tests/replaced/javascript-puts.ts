import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, chainOf, indexOf, literalOf } from '../../names.ts';
import { GLOBALS, INSTANCE, resolved } from './put.ts';
import type { Bindings, Put } from './put.ts';

const OWN_MODULE = /^(?:\.{1,2}(?:\/|$)|#|@\/|~\/)/;
const WRAPS = /^(?:parenthesized_expression|as_expression|satisfies_expression|non_null_expression|await_expression)$/;
const ASSIGNS = /^(?:augmented_)?assignment_expression$/;
const GLOBAL_OBJECTS = /^(?:global|globalThis|window|self)$/;
const ALL_OF = /^(?:Object\.(?:assign|defineProperties|setPrototypeOf)|_\.(?:extend|assign)|Reflect\.setPrototypeOf)$/;
const ONE_OF = /^(?:(?:Object|Reflect)\.defineProperty|Reflect\.set)$/;
const STUBS_GLOBAL = /^(?:vi|vitest)\.stubGlobal$/;

export function javascriptPuts(file: InspectedFile): Put[] {
  const { text } = file;
  const bindings = javascriptBindings(file);
  const puts = (owner: SyntaxNode | undefined, node: SyntaxNode, entries: readonly Entry[]): Put[] => {
    const chain = owner === undefined ? null : chainTo(owner, text);
    return chain === null ? [] : entries.map((each) => ({ ...each, node, owner: ownerOf(chain, bindings) }));
  };
  return [...addedNodes(file)].flatMap((node): Put[] => {
    if (ASSIGNS.test(node.kind)) {
      const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
      const name = left === null ? null : memberName(left, text);
      const object = childOf(left, 'object');
      if (name === null || object === null || right === null) return [];
      return puts(object, node, [{ name, values: [right] }]);
    }
    if (node.kind !== 'call_expression') return [];
    const called = chainOf(node, text).join('.');
    const [first, second, ...others] = argumentsOf(node);
    if (ALL_OF.test(called))
      return puts(
        first,
        node,
        [second, ...others].flatMap((each) => entriesOf(each, text)),
      );
    const name = literalOf(second, text);
    if (ONE_OF.test(called) && name !== null) return puts(first, node, [{ name, values: others }]);
    const stubbed = literalOf(first, text);
    if (!STUBS_GLOBAL.test(called) || stubbed === null || second === undefined) return [];
    return [{ owner: GLOBALS, name: stubbed, values: [second], node }];
  });
}

/** For an imported class, `Cart.prototype` and the class are the same owner. */
function ownerOf(chain: readonly string[], bindings: Bindings): readonly string[] {
  const owner = resolved(chain, bindings);
  const [first = ''] = owner;
  if (owner.length === 1 && GLOBAL_OBJECTS.test(first)) return GLOBALS;
  return owner[0] === '.' && owner.at(-1) === 'prototype' ? owner.slice(0, -1) : owner;
}

/** Local names that refer to a module of the project, by its path and the name in it, or to the value of a variable. */
export function javascriptBindings({ root, text }: SourceText): Bindings {
  const found = new Map<string, readonly string[]>();
  for (const node of nodesOf(root)) {
    if (node.kind === 'import_statement') bindImport(node, text, found);
    if (node.kind === 'variable_declarator') bindVariable(node, text, found);
  }
  return found;
}

function bindImport(node: SyntaxNode, text: string, found: Map<string, readonly string[]>): void {
  const module = moduleOf(childOf(node, 'source'), text);
  if (module === null) return;
  for (const each of nodesOf(node)) {
    if (each.kind === 'import_specifier') {
      const name = plainText(childOrSelf(each, 'name'), text);
      found.set(plainText(childOf(each, 'alias') ?? childOf(each, 'name') ?? each, text), [...module, name]);
    }
    const isWhole = each.parent?.kind === 'namespace_import' || each.parent?.kind === 'import_clause';
    if (each.kind === 'identifier' && isWhole) found.set(plainText(each, text), module);
  }
}

function bindVariable(node: SyntaxNode, text: string, found: Map<string, readonly string[]>): void {
  const [name, value] = [childOf(node, 'name'), childOf(node, 'value')];
  const chain = value === null ? null : chainTo(value, text);
  if (name === null || chain === null) return;
  if (name.kind === 'identifier') found.set(plainText(name, text), chain);
  if (name.kind !== 'object_pattern') return;
  for (const each of namedChildren(name)) {
    const key = plainText(childOrSelf(each, 'key'), text);
    found.set(plainText(childOrSelf(each, 'value'), text), [...chain, key]);
  }
}

/** Returns the names that lead to a value; null if one of them is not written in the text. */
export function chainTo(node: SyntaxNode, text: string): readonly string[] | null {
  const inner = namedChildren(node)[0];
  if (WRAPS.test(node.kind)) return inner === undefined ? null : chainTo(inner, text);
  if (node.kind === 'identifier' || node.kind === 'this') return [plainText(node, text)];
  if (node.kind === 'new_expression') {
    const made = calleeOf(node);
    const chain = made === null ? null : chainTo(made, text);
    return chain === null ? null : [...chain, INSTANCE];
  }
  if (node.kind === 'call_expression') {
    const called = calleeOf(node);
    const isLoading = /^(?:require|import)$/.test(plainText(called, text));
    return isLoading ? moduleOf(argumentsOf(node)[0] ?? null, text) : null;
  }
  const name = memberName(node, text);
  const object = childOf(node, 'object');
  const chain = name === null || object === null ? null : chainTo(object, text);
  return chain === null || name === null ? null : [...chain, name];
}

function memberName(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'member_expression') return plainText(childOrSelf(node, 'property'), text);
  const index = node.kind === 'subscript_expression' ? indexOf(node) : null;
  return literalOf(index, text);
}

function moduleOf(node: SyntaxNode | null, text: string): readonly string[] | null {
  const specifier = literalOf(node, text);
  if (specifier === null || !OWN_MODULE.test(specifier)) return null;
  const bare = specifier.slice(0, specifier.length - posix.extname(specifier).length);
  return ['.', ...bare.split('/').filter((each) => !/^(?:\.{1,2}|@|~|)$/.test(each))];
}

interface Entry {
  readonly name: string;
  readonly values: readonly SyntaxNode[];
}

function entriesOf(object: SyntaxNode | undefined, text: string): Entry[] {
  if (object?.kind !== 'object') return [];
  return namedChildren(object).flatMap((each) => {
    const key = childOf(each, 'key') ?? childOf(each, 'name') ?? each;
    if (!/^(?:pair|method_definition|shorthand_property_identifier)$/.test(each.kind)) return [];
    return [{ name: literalOf(key, text) ?? plainText(key, text), values: [childOrSelf(each, 'value')] }];
  });
}

/** Returns whether a node is the target of an assignment. */
export function isWritten(node: SyntaxNode): boolean {
  const assigned = node.field === 'left' ? node : above(node, ({ field }) => field === 'left');
  return assigned !== null && /assignment/.test(kindOf(assigned.parent)) && assigned.end === node.end;
}
