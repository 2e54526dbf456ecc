import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, lastName, literalOf } from '../../names.ts';
import { GLOBALS } from './put.ts';
import type { Put } from './put.ts';
import type { Members } from './source-members.ts';

const METHODS = new Set(['method', 'singleton_method']);
const TYPES = new Set(['class', 'module']);
const REOPENS = /^(?:class|module|instance)_(?:eval|exec)$/;
const DEFINES = /^define(?:_singleton)?_method$/;
const SENDS = /^(?:send|public_send|__send__)$/;
const ACCESSORS = /^(?:attr_(?:reader|writer|accessor)|def_delegators?|delegate|alias_method|define_method)$/;
/** Calls in the body of a class that define no methods. */
const PLAIN = /^(?:private|public|protected|module_function|private_constant|private_class_method|require|freeze)$/;
const INCLUDES = /^(?:include|extend|prepend)$/;
const OF_CORE = /^(?:Comparable|Enumerable|Kernel)$/;
const DYNAMIC = /\b(?:method_missing|respond_to_missing\?)/;

/** Methods that every object has. Tests may replace them. */
const OF_KERNEL =
  /^(?:puts|print|p|pp|printf|putc|sleep|rand|srand|system|exec|spawn|gets|require|require_relative|load|open|exit|abort|warn|raise|format|sprintf|loop|lambda|proc|catch|throw|binding|caller|at_exit|fork|trap|select|Integer|Float|String|Array|Hash|initialize|to_s|inspect|hash|then|tap|freeze|dup|send|method)$/;

/** Returns the methods that a Ruby test defines in named classes and modules, and for every object. */
export function rubyPuts(file: InspectedFile): Put[] {
  return allPuts(file).filter(({ name }) => !OF_KERNEL.test(name));
}

function allPuts(file: InspectedFile): Put[] {
  const { text } = file;
  return [...addedNodes(file)].flatMap((node): Put[] => {
    if (!node.named) return [];
    if (METHODS.has(node.kind)) {
      const owner = placeOf(node, text);
      const name = plainText(childOrSelf(node, 'name'), text);
      return owner === null ? [] : [{ owner, name, values: [node], node }];
    }
    if (node.kind === 'assignment') {
      const [left, right] = [childOf(node, 'left'), childOf(node, 'right')];
      const owner = left?.kind === 'call' ? constantOf(childOf(left, 'receiver'), text) : null;
      const name = childOf(left, 'method');
      if (owner === null || name === null || right === null) return [];
      return [{ owner: [owner], name: plainText(name, text), values: [right], node }];
    }
    return node.kind === 'call' ? putByCall(node, text) : [];
  });
}

function putByCall(call: SyntaxNode, text: string): Put[] {
  const receiver = childOf(call, 'receiver');
  const word = lastName(call, text);
  const given = argumentsOf(call);
  const [first, ...others] = SENDS.test(word) ? given.slice(1) : given;
  const defines = SENDS.test(word) && given[0] !== undefined ? nameIn(given[0], text) : word;
  const block = childOf(call, 'block');
  const name = first === undefined ? null : nameIn(first, text);
  const values = [...others, ...(block === null ? [] : [block])];
  const owner = constantOf(receiver, text);
  if (owner !== null && name !== null && DEFINES.test(defines)) return [{ owner: [owner], name, values, node: call }];
  // `allow(Mul).to receive(:product) { |a, b| a * b }`
  if (word !== 'to' || receiver === null || first?.kind !== 'call') return [];
  const received = argumentsOf(first)[0];
  const doubled = argumentsOf(receiver)[0];
  const given1 = constantOf(doubled ?? null, text);
  const name1 = received === undefined ? null : nameIn(received, text);
  const answer = childOf(first, 'block') ?? block;
  if (given1 === null || name1 === null || answer === null || !/^receive$/.test(lastName(first, text))) return [];
  return [{ owner: [given1], name: name1, values: [answer], node: call }];
}

function nameIn(node: SyntaxNode, text: string): string {
  return literalOf(node, text) ?? plainText(node, text).replace(/^:/, '');
}

/** The name of a class or module. */
function constantOf(node: SyntaxNode | null, text: string): string | null {
  if (node === null) return null;
  if (node.kind === 'call' && /^(?:singleton_class)$/.test(lastName(node, text)))
    return constantOf(childOf(node, 'receiver'), text);
  return node.kind === 'constant' || node.kind === 'scope_resolution' ? plainText(node, text).replace(/^::/, '') : null;
}

/**
 * The owner of a method definition: a class or module, which a call may reopen, or every object. null for a method of
 * one object, or inside a function.
 */
function placeOf(method: SyntaxNode, text: string): readonly string[] | null {
  const object = childOf(method, 'object');
  if (object !== null && object.kind !== 'self') {
    const owner = constantOf(object, text);
    return owner === null ? null : [owner];
  }
  const names: string[] = [];
  for (let each = method.parent; each !== null; each = each.parent) {
    if (!each.named) continue;
    if (METHODS.has(each.kind)) return null;
    if (TYPES.has(each.kind)) names.unshift(plainText(childOrSelf(each, 'name'), text));
    if (each.kind !== 'call') continue;
    const owner = REOPENS.test(lastName(each, text)) ? constantOf(childOf(each, 'receiver'), text) : null;
    return owner === null ? null : [owner];
  }
  return names.length === 0 ? GLOBALS : [names.join('::')];
}

/**
 * Like `membersOf`, for Ruby. null if the changed sources do not have the class, for example because the test defines
 * it for itself.
 */
export function rubyMembersOf([owner]: readonly string[], sources: readonly SourceText[]): Members | null {
  const names = new Set<string>();
  const empty = new Set<string>();
  let isOpen = false;
  let isKnown = false;
  for (const { root, text } of sources) {
    for (const node of nodesOf(root)) {
      if (!node.named || !TYPES.has(node.kind) || qualifiedName(node, text) !== owner) continue;
      isKnown = true;
      isOpen ||= childOf(node, 'superclass') !== null || DYNAMIC.test(text.slice(node.start, node.end));
      for (const each of nodesOf(node)) {
        if (METHODS.has(each.kind)) names.add(plainText(childOrSelf(each, 'name'), text));
        if (each.kind === 'alias') for (const one of namedChildren(each)) names.add(plainText(one, text));
        const called = each.kind === 'call' && childOf(each, 'receiver') === null ? calleeOf(each) : null;
        const word = plainText(called, text);
        const isOfBody = above(each, ({ kind }) => METHODS.has(kind)) === null;
        if (called === null || !isOfBody) continue;
        const given = argumentsOf(each).map((one) => nameIn(one, text));
        if (word === 'attr_accessor' || word === 'attr_writer') for (const one of given) empty.add(one);
        else if (ACCESSORS.test(word)) for (const one of given) names.add(one);
        else if (!PLAIN.test(word) && !(INCLUDES.test(word) && given.every((one) => OF_CORE.test(one)))) isOpen = true;
      }
    }
  }
  // `@engine = …` gives it a value.
  for (const { text } of sources)
    for (const each of empty)
      if (new RegExp(`@@?${each}\\s*(?:\\|\\|)?=(?!\\s*nil\\b)[^=~]`).test(text)) names.add(each);
  for (const each of names) empty.delete(each);
  return isKnown ? { names, empty, isOpen } : null;
}

function qualifiedName(type: SyntaxNode, text: string): string {
  const names = [plainText(childOrSelf(type, 'name'), text)];
  for (let each = type.parent; each !== null; each = each.parent)
    if (each.named && TYPES.has(each.kind)) names.unshift(plainText(childOrSelf(each, 'name'), text));
  return names.join('::').replace(/^::/, '');
}

/** Returns whether the changed sources call a method without a receiver and declare no such name. */
export function isFreeInRuby(name: string, sources: readonly SourceText[]): boolean {
  const all = sources.flatMap(({ root, text }) => [...nodesOf(root)].map((node) => ({ node, text })));
  const isNamed = ({ node, text }: (typeof all)[number]): boolean => plainText(node, text).replace(/^:/, '') === name;
  const words = all.filter(({ node }) => /^(?:identifier|simple_symbol)$/.test(node.kind)).filter(isNamed);
  const isDeclared = words.some(
    ({ node }) =>
      node.kind === 'simple_symbol' ||
      METHODS.has(kindOf(node.parent)) ||
      /parameter|^left_assignment_list$|^exception_variable$/.test(kindOf(node.parent)) ||
      (node.field === 'left' && /assignment/.test(kindOf(node.parent))),
  );
  const isUsed = words.some(({ node }) => node.field !== 'method' || childOf(node.parent ?? node, 'receiver') === null);
  return isUsed && !isDeclared;
}
