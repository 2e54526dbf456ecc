import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, chainOf, literalOf } from '../../names.ts';
import { GLOBALS, INSTANCE, resolved } from './put.ts';
import type { Bindings, Put } from './put.ts';

const SETS = /(?:^|\.)(?:__)?setattr(?:__)?$|(?:^|\.)patch(?:\.object)?$/;
const PATCHES = /(?:^|\.)patch(?:\.object)?$/;

export function pythonPuts(file: InspectedFile): Put[] {
  const { text } = file;
  const bindings = pythonBindings(file);
  const put = (
    chain: readonly string[] | null,
    name: string,
    values: readonly SyntaxNode[],
    node: SyntaxNode,
  ): Put[] =>
    chain === null || values.length === 0 ? [] : [{ owner: ownerOf(resolved(chain, bindings)), name, values, node }];
  return [...addedNodes(file)].flatMap((node): Put[] => {
    if (node.kind === 'assignment') {
      const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
      const object = left?.kind === 'attribute' ? childOf(left, 'object') : null;
      if (left === null || object === null || right === null) return [];
      return put(chainTo(object, text), plainText(childOrSelf(left, 'attribute'), text), [right], node);
    }
    const called = node.kind === 'call' ? chainOf(node, text).join('.') : '';
    if (!SETS.test(called)) return [];
    const [first, ...others] = argumentsOf(node);
    const path = literalOf(first, text);
    if (path !== null) {
      const parts = path.split('.');
      return put(['.', ...parts.slice(0, -1)], lastText(parts), valuesOf(others, called, file), node);
    }
    const [second, ...values] = others;
    const name = literalOf(second, text);
    if (first === undefined || name === null) return [];
    return put(chainTo(first, text), name, valuesOf(values, called, file), node);
  });
}

/** The stored values. For a patched mock, also the functions that the test assigns to `side_effect`. */
function valuesOf(given: readonly SyntaxNode[], called: string, { root, text }: SourceText): SyntaxNode[] {
  if (!PATCHES.test(called)) return [...given];
  const effects = [...nodesOf(root)].flatMap((node) => {
    const left = node.kind === 'assignment' ? childOf(node, 'left') : null;
    const right = childOf(node, 'right');
    return left?.kind === 'attribute' && right !== null && /\.side_effect$/.test(plainText(left, text)) ? [right] : [];
  });
  return [...given, ...effects];
}

function ownerOf(owner: readonly string[]): readonly string[] {
  return /^(?:builtins|__builtins__)$/.test(lastText(owner)) ? GLOBALS : owner;
}

export function pythonBindings({ root, text }: SourceText): Bindings {
  const found = new Map<string, readonly string[]>();
  for (const node of nodesOf(root)) {
    if (/^import_(?:from_)?statement$/.test(node.kind)) bindImport(node, text, found);
    if (node.kind !== 'assignment') continue;
    const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
    const chain = right === null ? null : chainTo(right, text);
    if (left?.kind === 'identifier' && chain !== null) found.set(plainText(left, text), chain);
  }
  return found;
}

function bindImport(node: SyntaxNode, text: string, found: Map<string, readonly string[]>): void {
  const module = childOf(node, 'module_name');
  const from = module === null ? null : partsOf(plainText(module, text));
  for (const each of node.children.filter(({ field }) => field === 'name')) {
    const parts = partsOf(plainText(childOrSelf(each, 'name'), text));
    const alias = childOf(each, 'alias');
    const [first = ''] = parts;
    if (alias !== null) found.set(plainText(alias, text), ['.', ...(from ?? []), ...parts]);
    else found.set(first, ['.', ...(from === null ? [first] : [...from, ...parts])]);
  }
}

function partsOf(dotted: string): string[] {
  return dotted.split('.').filter((each) => each !== '');
}

/** Returns the names that lead to a value. A call of a class gives an object of it. */
export function chainTo(node: SyntaxNode, text: string): readonly string[] | null {
  if (node.kind === 'identifier') return [plainText(node, text)];
  if (node.kind === 'parenthesized_expression') return chainTo(namedChildren(node)[0] ?? node, text);
  if (node.kind === 'call') {
    const called = calleeOf(node);
    const chain = called === null ? null : chainTo(called, text);
    return chain !== null && /^[A-Z]/.test(lastText(chain)) ? [...chain, INSTANCE] : null;
  }
  const [object, name] = node.kind === 'attribute' ? [childOf(node, 'object'), childOf(node, 'attribute')] : [];
  const chain = object === null || object === undefined ? null : chainTo(object, text);
  return chain === null || name === null || name === undefined ? null : [...chain, plainText(name, text)];
}
