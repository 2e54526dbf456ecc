import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, childOf, nodesOf, plainText } from '../../syntax/walk.ts';
import type { InspectedChange, InspectedFile, Inspection, Place } from '../finding.ts';
import { calleeOf, CALLS } from '../names.ts';
import { undeclaredNames } from '../source/unexamined/undeclared-names.ts';
import { goVariables } from './replaced/go-variables.ts';
import { holdsWork } from './replaced/has-work.ts';
import * as javascript from './replaced/javascript-puts.ts';
import { GLOBALS, INSTANCE, resolved } from './replaced/put.ts';
import type { Bindings, Put } from './replaced/put.ts';
import * as python from './replaced/python-puts.ts';
import { isFreeInRuby, rubyMembersOf, rubyPuts } from './replaced/ruby-puts.ts';
import { isCalledUnasked, isMentioned, membersOf } from './replaced/source-members.ts';
import type { Members } from './replaced/source-members.ts';

/**
 * A test that does the work of its source: without the test the source has only a shell. It is one if all of this holds.
 *
 * - The change adds code to a test by which it puts a function into a class, an object or a module of the changed sources (`Cart.prototype.total = …`,
 *   `setattr`, a reopened class of Ruby), or makes it a name that every file can use (`globalThis.multiply = …`, `builtins`, a method at the top level of Ruby).
 * - The function works: what only answers with something fixed, or notes that it was called, is a double.
 * - The sources do not have what is put there. A method, function or variable that they define or import is a collaborator, which a test may replace;
 *   so is a global of the platform. A variable that the change leaves empty is none, if the source calls it without asking whether it is there.
 * - The sources use the name, or the test calls it. What may come from elsewhere, a superclass or a mixin, must be called by the test, of that class.
 *
 * Go puts no methods into types; there it is a variable that the change has made for a function.
 */
export const replacesSource: Inspection = {
  kind: 'replaces-source',
  *look(file, change) {
    switch (file.language) {
      case 'go':
        yield* goVariables(file, change.sources);
        break;
      case 'javascript':
      case 'typescript':
      case 'tsx':
        yield* replaced(javascript.javascriptPuts(file), file, change, {
          membersOf,
          isFree: isUndeclared,
          leadsTo: leadsBy(javascript.javascriptBindings(file), javascript.chainTo),
        });
        break;
      case 'python':
        yield* replaced(python.pythonPuts(file), file, change, {
          membersOf,
          isFree: isUndeclared,
          leadsTo: leadsBy(python.pythonBindings(file), python.chainTo),
        });
        break;
      case 'ruby':
        yield* replaced(rubyPuts(file), file, change, {
          membersOf: rubyMembersOf,
          isFree: isFreeInRuby,
          leadsTo: (node, owner, text) => new RegExp(`\\b${owner.at(-1) ?? ''}\\b`).test(plainText(node, text)),
        });
        break;
      case 'rust':
      case 'java':
      case 'php':
      case 'cpp':
    }
  },
};

interface Language {
  membersOf(owner: readonly string[], sources: readonly InspectedFile[]): Members | null;
  /** Whether the sources use a name that nothing declares. */
  isFree(name: string, sources: readonly InspectedFile[]): boolean;
  /** Whether an expression of the test is the owner, or an object of it. */
  leadsTo(node: SyntaxNode, owner: readonly string[], text: string): boolean;
}

function* replaced(
  puts: readonly Put[],
  file: InspectedFile,
  { sources, tests, helpers }: InspectedChange,
  language: Language,
): Generator<Place> {
  const ofLanguage = sources.filter((each) => (each.language === 'python') === (file.language === 'python'));
  for (const put of puts) {
    if (!isMissing(put, puts, file, ofLanguage, language)) continue;
    if (!holdsWork(put.values, file, [...tests, ...helpers])) continue;
    yield { line: put.node.line, words: `it does the work of ${put.name} itself, which the source does not have` };
  }
}

function isMissing(
  put: Put,
  puts: readonly Put[],
  file: InspectedFile,
  sources: readonly InspectedFile[],
  language: Language,
): boolean {
  const { owner, name } = put;
  if (owner === GLOBALS)
    return language.isFree(name, sources) && !/^(?:object|dictionary)$/.test(put.values[0]?.kind ?? '');
  const native = owner.length <= 2 ? NATIVE.get(owner.join('.')) : undefined;
  if (native !== undefined) return !Reflect.has(native, name) && isMentioned(name, sources);
  const members = language.membersOf(owner, sources);
  if (members === null || members.names.has(name)) return false;
  if (members.empty.has(name)) return isCalledUnasked(name, sources);
  const uses = usesOf(name, file, puts);
  if (owner.at(-1) === INSTANCE || members.isOpen) {
    const isOwn = (object: SyntaxNode | null): boolean => object !== null && language.leadsTo(object, owner, file.text);
    const isAsked = uses.some(({ isCall, object }) => isCall && isOwn(object));
    return isAsked && (members.isOpen || !isMentioned(name, sources));
  }
  return uses.length > 0 || isMentioned(name, sources);
}

const NATIVE: ReadonlyMap<string, object> = new Map<string, object>([
  ['Number.prototype', Number.prototype],
  ['String.prototype', String.prototype],
  ['Boolean.prototype', Boolean.prototype],
  ['Array.prototype', Array.prototype],
  ['Object.prototype', Object.prototype],
  ['Function.prototype', Function.prototype],
  ['Map.prototype', Map.prototype],
  ['Set.prototype', Set.prototype],
  ['Date.prototype', Date.prototype],
  ['Math', Math],
  ['Number', Number],
  ['String', String],
  ['Array', Array],
  ['Object', Object],
]);

/** Of pages, workers, extensions and notebooks, whose names no file declares. */
const OF_PLATFORMS =
  /^(?:scroll\w*|open|close|print|focus|blur|stop|find|postMessage|(?:add|remove)EventListener|dispatchEvent|getSelection|\w*(?:Width|Height)|screen|frames|opener|origin|visualViewport|speechSynthesis|importScripts|skipWaiting|clients|registration|reportError|chrome|browser|gtag|ga|google|grecaptcha|gapi|wx|dataLayer|acquireVsCodeApi|describe|it|test|expect|spark|dbutils|display|get_ipython|profile|ngettext|unicode|xrange|raw_input)$/;

/** `declare function multiply` of TypeScript declares nothing that runs. */
function isUndeclared(name: string, sources: readonly InspectedFile[]): boolean {
  if (OF_PLATFORMS.test(name)) return false;
  return sources.some((source) => {
    if (undeclaredNames(source).some((each) => each.name === name)) return true;
    return [...nodesOf(source.root)].some(
      (node) =>
        node.field === 'name' &&
        plainText(node, source.text) === name &&
        !(name in globalThis) &&
        above(node, ({ kind }) => kind === 'ambient_declaration') !== null,
    );
  });
}

function leadsBy(bindings: Bindings, chainTo: (node: SyntaxNode, text: string) => readonly string[] | null) {
  return (node: SyntaxNode, owner: readonly string[], text: string): boolean => {
    const chain = chainTo(node, text);
    const bare = (each: readonly string[]): string =>
      each.filter((part) => part !== INSTANCE && part !== 'prototype').join('/');
    return chain !== null && bare(resolved(chain, bindings)) === bare(owner);
  };
}

interface Use {
  readonly isCall: boolean;
  /** What has the name. */
  readonly object: SyntaxNode | null;
}

/** Where a test uses a member of this name, beside where it puts it. */
function usesOf(name: string, { root, text }: InspectedFile, puts: readonly Put[]): Use[] {
  const isPut = (node: SyntaxNode): boolean =>
    puts.some(({ node: each, name: own }) => own === name && each.start <= node.start && node.end <= each.end);
  return [...nodesOf(root)].flatMap((node): Use[] => {
    if (node.kind === 'call' && childOf(node, 'method') !== null) {
      const [object, method] = [childOf(node, 'receiver'), childOf(node, 'method')];
      const isUse = object !== null && method !== null && plainText(method, text) === name && !isPut(node);
      return isUse ? [{ isCall: true, object }] : [];
    }
    const [object, member] = [childOf(node, 'object'), childOf(node, 'property') ?? childOf(node, 'attribute')];
    if (object === null || member === null || plainText(member, text) !== name) return [];
    if (isPut(node) || javascript.isWritten(node)) return [];
    const call = node.parent;
    return [{ isCall: call !== null && CALLS.has(call.kind) && calleeOf(call) === node, object }];
  });
}
