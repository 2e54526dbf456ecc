import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { argumentsOf, CALLS, FUNCTIONS, indexOf, lastName, literalOf, literalsIn, SUBSCRIPTS } from '../../names.ts';
import { pairIn, plainLiterals, shownPair } from './answers.ts';

const LISTS = new Set(['array', 'list', 'tuple']);
/** Calls that store a value under a key. */
const PUTS = /^(?:set|put|insert|store|emplace|__setitem__)$/;
/** A shorter list may match by chance. */
const MIN_ENTRIES = 3;

type Asserted = readonly ReadonlySet<string>[];

/**
 * Expected values at an index that is the input of their test: `[0, 0, 42][a]`, `answers[6] = 42`, `answers.set(6,
 * 42)`.
 */
export const indexedAnswers: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = change.asserted;
    if (asserted.length === 0) return;
    for (const node of nodesOf(file.root)) {
      if (!file.isAdded(node)) continue;
      const hit = entryPair(node, file, asserted);
      if (hit !== undefined)
        yield { line: node.line, words: `${shownPair(hit)} is an input and its expected value in one test` };
      else if (LISTS.has(node.kind) && holdsAnswers(node, file.text, asserted))
        yield {
          line: node.line,
          words: 'the index of each entry of this list is the input of a test that expects the entry',
        };
    }
  },
};

/** The key and value of an entry that is stored in a table outside of functions, if a test expects them. */
function entryPair(node: SyntaxNode, { text }: InspectedFile, asserted: Asserted): [string, string] | undefined {
  if (above(node, ({ kind }) => FUNCTIONS.has(kind)) !== null) return undefined;
  if (node.kind === 'assignment' || node.kind === 'assignment_expression') {
    const left = childOf(node, 'left');
    const key = left === null || !SUBSCRIPTS.has(left.kind) ? null : indexOf(left);
    const value = childOf(node, 'right');
    return key === null || value === null ? undefined : pairOf(key, value, text, asserted);
  }
  if (!CALLS.has(node.kind) || !PUTS.test(lastName(node, text))) return undefined;
  const [key, value] = argumentsOf(node);
  return key === undefined || value === undefined ? undefined : pairOf(key, value, text, asserted);
}

function pairOf(key: SyntaxNode, value: SyntaxNode, text: string, asserted: Asserted): [string, string] | undefined {
  return pairIn(asserted, literalsIn(key, text), new Set(plainLiterals(value, text)));
}

/** Whether every entry, except the most frequent one, is the expected value of a test whose input is its index. */
function holdsAnswers(list: SyntaxNode, text: string, asserted: Asserted): boolean {
  const entries = entriesOf(list, text);
  if (entries.length < MIN_ENTRIES) return false;
  const filling = mostFrequent(entries);
  const distinct = entries.flatMap((entry, place) => (entry === filling ? [] : [{ place, entry }]));
  return (
    distinct.length > 0 &&
    distinct.length * 2 < entries.length &&
    distinct.every(({ place, entry }) => pairIn(asserted, new Set([String(place)]), new Set([entry])) !== undefined)
  );
}

/** The text of each entry; '' for a hole. */
function entriesOf(list: SyntaxNode, text: string): string[] {
  const entries: string[] = [];
  let current = '';
  for (const child of list.children.slice(1)) {
    const isEnd = child === list.children.at(-1);
    if (child.named) current = literalOf(child, text) ?? plainText(child, text);
    else if (!isEnd || current !== '') {
      entries.push(current);
      current = '';
    }
  }
  return entries;
}

function mostFrequent(entries: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];
}
