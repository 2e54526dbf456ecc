import type { ParseSyntax, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { editedText } from '../../../lib/syntax/edited-text.ts';
import { lastText } from '../../../lib/text/first-last.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { SourceText } from '../findings/finding.ts';
import { calleeOf, CALLS, lastName } from '../findings/names.ts';
import { namedValues, plainConstant } from '../kept/effects/named-constants.ts';
import { awaitedCalls, guardsOf } from '../kept/effects/guards.ts';
import { namesModule } from '../kept/effects/new-literals.ts';
import { isGuard, isProtecting } from '../kept/effects/protecting-names.ts';
import { callsOf } from '../kept/effects/written-calls.ts';
import { sourceText } from '../read-text.ts';
import { above, childOf, namedChildren, plainText, nodesOf, textOf } from '../syntax/walk.ts';
import type { ChangedText, Hunk } from './changed-hunks.ts';
import { isInFunction, putBack } from './deleted-rules.ts';
import type { PutBack } from './deleted-rules.ts';
import { isLogging } from './mutators/remove-statement.ts';

/**
 * Something in an old source that has an effect outside of it and that mutants do not change: a text such as an
 * address, a constant argument, a named value, a call that protects or is awaited, a decorator that protects.
 */
interface Effect {
  readonly kind: 'call' | 'named' | 'argument' | 'text';
  /** The name of the call, value or argument; '' for a text. */
  readonly name: string;
  /** For a text, the function that receives it. */
  readonly callee?: string;
  readonly value: string;
  readonly node: SyntaxNode;
}

/** Maximum number of effects. Each keeps a copy of the whole source. */
const MAX_FOUND = 20;
const MAX_SHOWN = 80;
const ORDER = ['call', 'named', 'argument', 'text'] as const;

/**
 * Returns one source for each effect of the old source that the change altered or removed: the new source with this
 * effect as it was before.
 */
export async function alteredEffects(
  path: string,
  { before, after, hunks }: ChangedText,
  parse: ParseSyntax,
): Promise<PutBack[]> {
  const [old, now] = [await sourceText(parse, path, before), await sourceText(parse, path, after)];
  if (old === null || now === null || hunks.length === 0) return [];
  const [former, current] = [effectsIn(old), effectsIn(now)];
  const lost = fewer(former, current);
  const gained = fewer(current, former);
  const found: PutBack[] = [];
  for (const kind of ORDER) {
    for (const each of lost.filter((one) => one.kind === kind)) {
      const hunk = hunks.find(({ oldStart, oldLines }) => isWithin(each.node.endLine, oldStart, oldLines));
      if (hunk === undefined) continue;
      const other = gained.findIndex(
        (one) =>
          one.kind === kind &&
          one.name === each.name &&
          one.callee === each.callee &&
          isWithin(one.node.endLine, hunk.newStart, hunk.newLines),
      );
      const [taken] = other === -1 || kind === 'call' ? [] : gained.splice(other, 1);
      if (taken !== undefined && isLikeTimeLimit(each, taken)) continue;
      const restored = taken === undefined ? withHunk(each, hunk, after) : withValue(each, taken, { old, now });
      if (restored !== null && !found.some(({ text }) => text === restored.text)) found.push(restored);
      if (found.length === MAX_FOUND) return found;
    }
  }
  return found;
}

/** The effects that occur less often in `others`. An effect that only moved to another place is not altered. */
function fewer(effects: readonly Effect[], others: readonly Effect[]): Effect[] {
  const left = new Map<string, number>();
  for (const each of others) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1);
  const count = new Map<string, number>();
  for (const each of effects) count.set(keyOf(each), (count.get(keyOf(each)) ?? 0) + 1);
  return effects.filter((each) => (left.get(keyOf(each)) ?? 0) < (count.get(keyOf(each)) ?? 0));
}

function keyOf({ kind, name, value }: Effect): string {
  return `${kind}\0${name}\0${value}`;
}

function isWithin(line: number, start: number, lines: number): boolean {
  return line >= start && line < start + lines;
}

const TIME_LIMIT = /^(?!.*(?:session|token|login)).*timeout(?:_?ms)?$/i;
const MAX_FACTOR = 10;

/** Whether a time limit is still about as long. No unit test waits for one. */
function isLikeTimeLimit(lost: Effect, taken: Effect): boolean {
  const factor = Number(taken.value.replaceAll('_', '')) / Number(lost.value.replaceAll('_', ''));
  return lost.kind === 'named' && TIME_LIMIT.test(lost.name) && factor <= MAX_FACTOR && factor >= 1 / MAX_FACTOR;
}

function withValue(lost: Effect, taken: Effect, { old, now }: Record<'old' | 'now', SourceText>): PutBack {
  const written = textOf(lost.node, old.text);
  const text = editedText(now.text, { start: taken.node.start, end: taken.node.end, replacement: written });
  const name = taken.kind === 'named' ? `${shown(taken.name)} with ` : '';
  const words = `${name}${shown(textOf(taken.node, now.text))} is ${shown(written)} again`;
  return { line: taken.node.line, words, text };
}

function shown(written: string): string {
  return `\`${oneLine(written, MAX_SHOWN)}\``;
}

const DECORATOR = /^\s*@\w/;

/** The source with the old lines of the hunk that removed the effect. */
function withHunk({ node }: Effect, hunk: Hunk, after: string): PutBack | null {
  const line = hunk.deleted[node.endLine - hunk.oldStart];
  const isPlaced = isInFunction(hunk.deleted) || hunk.deleted.every((each) => DECORATOR.test(each));
  return line === undefined || !isPlaced ? null : putBack(line, hunk, after);
}

function effectsIn(source: SourceText): Effect[] {
  const { root, text } = source;
  const named = [...namedValues(source)].flatMap(({ name, value }): Effect[] => {
    const constant = plainConstant(value, text);
    return constant === null ? [] : [{ kind: 'named', name, value: constant, node: value }];
  });
  const calls = [...callsOf(source)].flatMap(({ node, chain }): Effect[] => {
    const name = lastText(chain);
    return isProtecting(name) ? [{ kind: 'call', name, value: '', node: calleeOf(node) ?? node }] : [];
  });
  const guards = [...guardsOf(source)].filter(({ name }) => isGuard(name));
  const waits = [...awaitedCalls(source)].map(({ name, node }) => ({ name: `await ${name}`, node }));
  for (const { name, node } of [...guards, ...waits]) calls.push({ kind: 'call', name, value: '', node });
  const rest = [...nodesOf(root)].flatMap((node) => [...argumentAt(node, text), ...textAt(node, text)]);
  return [...named, ...calls, ...rest];
}

/** `0` and `1` are usually counts or indexes, not effects. */
const COUNTS = /^(?:[01]|- 1)$/;

function argumentAt(node: SyntaxNode, text: string): Effect[] {
  const { parent } = node;
  const call = parent !== null && /^arguments$|^argument_list$/.test(parent.kind) ? parent.parent : null;
  const constant = call === null ? null : plainConstant(node, text);
  if (parent === null || call === null || constant === null || COUNTS.test(constant)) return [];
  const name = CALLS.has(call.kind) ? lastName(call, text) : '';
  const place = namedChildren(parent).indexOf(node);
  return isLogging(plainText(call, text))
    ? []
    : [{ kind: 'argument', name: `${name} ${place}`, value: constant, node }];
}

const WHOLE_TEXTS =
  /^(?:string|template_string|string_literal|\w+_string_literal|encapsed_string|regex|concatenated_string)$/;
/**
 * Texts for machines: an address, a name, a pattern, without blanks and not a version. A text for people contains
 * blanks or begins with a capital letter.
 */
const FOR_MACHINES = /^(?!v?\d+(?:\.\d+)*\b)(?:\S*[/:@.=_-]\S*|[a-z]\S+)$/;
const QUERY = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE)\b/;

function textAt(node: SyntaxNode, text: string): Effect[] {
  if (!node.named || !WHOLE_TEXTS.test(node.kind) || (node.parent !== null && WHOLE_TEXTS.test(node.parent.kind)))
    return [];
  const written = textOf(node, text);
  const inner = written.replaceAll(/^[a-zA-Z]*["'`/]+|["'`]+$/g, '');
  const isForMachines = node.kind === 'regex' || FOR_MACHINES.test(inner) || QUERY.test(inner);
  const isForPeople = above(node, (each) => isReport(each, text)) !== null;
  const isDocumentation = node.parent?.kind === 'expression_statement' || childOf(node, 'key') !== null;
  if (!isForMachines || isForPeople || isDocumentation || namesModule(node, text)) return [];
  // The same pattern has another meaning as an argument of another function.
  const call = above(node, ({ kind }) => CALLS.has(kind));
  const callee = lastName(call, text);
  return [{ kind: 'text', name: '', callee, value: written, node }];
}

/** Whether a node writes to a log or throws an error. */
function isReport(node: SyntaxNode, text: string): boolean {
  if (/^(?:throw_\w+|raise_statement)$/.test(node.kind)) return true;
  if (!CALLS.has(node.kind)) return false;
  return isLogging(plainText(node, text)) || /(?:Error|Exception|^(?:raise|panic|fail))$/.test(lastName(node, text));
}
