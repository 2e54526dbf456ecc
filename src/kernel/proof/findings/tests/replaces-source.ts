import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../lib/text/first-last.ts';
import { above, childOf, kindOf, nodesOf, plainText } from '../../syntax/walk.ts';
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
import { isCalledUnchecked, isMentioned, membersOf } from './replaced/source-members.ts';
import type { Members } from './replaced/source-members.ts';

/**
 * A test that does the work of its source, so that the source is only a shell. All of these conditions must hold:
 * - The change adds code to a test that stores a function in a class, object or module of the changed sources
 *   (`Cart.prototype.total = …`, `setattr`, a reopened class of Ruby), or as a global name (`globalThis.multiply = …`,
 *   `builtins`, a top-level method of Ruby).
 * - The function does work. A function that only returns a fixed value or records its calls is a test double.
 * - The sources do not have this member. A method, function or variable that they define or import is a collaborator,
 *   and a test may replace it; the same holds for a global of the platform. A variable that the change leaves empty
 *   counts as missing if the sources call it without checking that it exists.
 * - The sources use the name, or the test calls it. If the member may come from a superclass or mixin, the test must
 *   call it on that class.
 *
 * In Go, methods cannot be added to types. There, the test assigns a variable that the change declares for a function.
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
          leadsTo: (node, owner, text) => new RegExp(`\\b${lastText(owner)}\\b`).test(plainText(node, text)),
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
  /** Whether the sources use a name without a declaration. */
  isFree(name: string, sources: readonly InspectedFile[]): boolean;
  /** Whether an expression in the test refers to the owner, or to an object of it. */
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
    return language.isFree(name, sources) && !/^(?:object|dictionary)$/.test(kindOf(put.values[0]));
  const native = owner.length <= 2 ? NATIVE.get(owner.join('.')) : undefined;
  if (native !== undefined) return !Reflect.has(native, name) && isMentioned(name, sources);
  const members = language.membersOf(owner, sources);
  if (members === null || members.names.has(name)) return false;
  if (members.empty.has(name)) return isCalledUnchecked(name, sources);
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

/** Globals of browsers, workers, extensions and notebooks. No file declares them. */
const OF_PLATFORMS =
  /^(?:scroll\w*|open|close|print|focus|blur|stop|find|postMessage|(?:add|remove)EventListener|dispatchEvent|getSelection|\w*(?:Width|Height)|screen|frames|opener|origin|visualViewport|speechSynthesis|importScripts|skipWaiting|clients|registration|reportError|chrome|browser|gtag|ga|google|grecaptcha|gapi|wx|dataLayer|acquireVsCodeApi|describe|it|test|expect|spark|dbutils|display|get_ipython|profile|ngettext|unicode|xrange|raw_input)$/;

/**
 * Whether a name has no declaration that exists at run time. `declare function multiply` in TypeScript does not exist
 * at run time.
 */
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
  /** The object whose member is used. */
  readonly object: SyntaxNode | null;
}

/** Uses of a member of this name in a test, without the places that store it. */
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
