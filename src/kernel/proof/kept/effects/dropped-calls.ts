import type { Finding } from '../../../../contracts/review/proof.ts';
import { lastText } from '../../../../lib/text/first-last.ts';
import { FUNCTIONS, functionName } from '../../findings/names.ts';
import { childOf, nodesOf, plainText, textOf } from '../../syntax/walk.ts';
import type { BothSides, Side } from '../both-sides.ts';
import { awaitedCalls, guardsOf, leftCalls } from './guards.ts';
import type { NamedPlace } from './guards.ts';
import { isGuard, isProtecting } from './protecting-names.ts';
import { callsOf, passedNames } from './written-calls.ts';

/**
 * Returns findings for protecting calls that a refactoring deleted and did not add anywhere else, and for calls that it
 * no longer awaits.
 */
export function droppedCalls(sides: BothSides): Finding[] {
  const { old, now } = sides;
  const kept = new Set(now.flatMap(addedNames));
  for (const name of renamedOrInlined(old, now)) kept.add(name);
  const found = new Map<string, Finding>();
  for (const side of old) {
    const current = now.find(({ path }) => path === side.path);
    for (const { name, line } of protections(side)) {
      if (!side.changed.has(line) || kept.has(name) || found.has(name)) continue;
      const words = `the refactoring leaves out a call of ${name}, which the old source has`;
      found.set(name, { kind: 'dropped-call', path: side.path, line: lineNow(side, line, current), words });
    }
  }
  return [...found.values(), ...droppedAwaits(sides)];
}

function protections(side: Side): NamedPlace[] {
  const calls = [...callsOf(side)].map(({ chain, line }) => ({ name: lastText(chain), line }));
  return [
    ...calls.filter(({ name }) => isProtecting(name)),
    ...[...guardsOf(side)].filter(({ name }) => isGuard(name)),
  ];
}

/**
 * Without `await`, errors are lost and the next statement does not wait. Tests still pass if their doubles finish
 * immediately.
 */
function droppedAwaits({ old, now }: BothSides): Finding[] {
  const changed = (side: Side, places: Iterable<NamedPlace>): NamedPlace[] =>
    [...places].filter(({ line }) => side.changed.has(line));
  const former = new Set(old.flatMap((side) => changed(side, awaitedCalls(side)).map(({ name }) => name)));
  for (const side of now) for (const { name } of changed(side, awaitedCalls(side))) former.delete(name);
  return now.flatMap((side) =>
    changed(side, leftCalls(side)).flatMap(({ name, line }) =>
      former.has(name)
        ? [{ kind: 'dropped-call', path: side.path, line, words: `the refactoring no longer waits for ${name}` }]
        : [],
    ),
  );
}

/** The present line for a deleted line: after the same unchanged lines, within the lines that replaced it. */
function lineNow(old: Side, line: number, now: Side | undefined): number {
  if (now === undefined) return 1;
  const before = keptLines(old).filter((each) => each < line);
  const kept = keptLines(now);
  const from = kept[before.length - 1] ?? 0;
  const next = kept[before.length] ?? Infinity;
  const last = now.text.trimEnd().split('\n').length;
  return Math.min(from + Math.max(1, Math.min(line - (before.at(-1) ?? 0), next - from - 1)), last);
}

function keptLines({ text, changed }: Side): number[] {
  return text.split('\n').flatMap((_, index) => (changed.has(index + 1) ? [] : [index + 1]));
}

function addedNames(side: Side): string[] {
  const called = [...callsOf(side)].map(({ chain, line }) => ({ name: lastText(chain), line }));
  return [...called, ...passedNames(side), ...guardsOf(side)].flatMap(({ name, line }) =>
    side.changed.has(line) ? [name] : [],
  );
}

/**
 * Names of old functions that no longer exist, but whose code is still there: under another name, or inlined into a
 * caller.
 */
function renamedOrInlined(old: readonly Side[], now: readonly Side[]): string[] {
  const declared = new Set(now.flatMap((side) => functionsOf(side).map(({ name }) => name)));
  const current = now.map(({ text }) => squeezed(text)).join('\n');
  return old.flatMap((side) =>
    functionsOf(side).flatMap(({ name, code }) =>
      !declared.has(name) && code !== '' && current.includes(code) ? [name] : [],
    ),
  );
}

function functionsOf({ root, text }: Side): { readonly name: string; readonly code: string }[] {
  return [...nodesOf(root)].flatMap((node) => {
    const name = FUNCTIONS.has(node.kind) ? functionName(node) : null;
    const body = childOf(node, 'body');
    if (name === null || body === null) return [];
    const code = squeezed(textOf(body, text).replace(/^\{([\s\S]*)\}$/, '$1'));
    return [{ name: plainText(name, text), code: code.replace(/^return|;$/g, '') }];
  });
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, '');
}
