import type { ParseSyntax, SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { editedText } from '../../../lib/syntax/edited-text.ts';
import { GRAMMARS } from '../syntax/grammars/grammars.ts';
import { functionName, identifiersIn } from '../findings/names.ts';
import { above, nodesOf, textOf } from '../syntax/walk.ts';
import type { Edit, MutatedSource, Mutant, NamedFunction } from './mutator.ts';
import { MUTATORS } from './mutators/mutators.ts';

export interface MutationInput {
  readonly text: string;
  readonly language: SyntaxLanguage;
  /** 1-based lines of `text` that the change added or rewrote. */
  readonly changedLines: ReadonlySet<number>;
  readonly maxMutants: number;
}

export type Mutants =
  | { readonly kind: 'mutants'; readonly mutants: readonly Mutant[] }
  /** The text has no syntax tree. `revertedHunks` makes larger mutants without one. */
  | { readonly kind: 'no-tree'; readonly why: string };

/**
 * A mutant whose text is not made yet. A large change has thousands of candidates, and each text has the size of the
 * file.
 */
interface Candidate {
  readonly line: number;
  readonly mutator: string;
  readonly rank: number;
  readonly edit: Edit;
  readonly node: SyntaxNode;
}

/**
 * Makes small mutants of the changed lines. The lines alternate, and mutants with the most informative survivors come
 * first. No mutant has syntax errors, equals the source or equals another mutant.
 */
export async function mutantsOf(input: MutationInput, parse: ParseSyntax): Promise<Mutants> {
  const parsed = await parse(input.language, input.text);
  if (parsed.kind === 'refused') return { kind: 'no-tree', why: parsed.why };
  if (!parsed.complete) return { kind: 'no-tree', why: 'it has syntax errors' };
  const mutants: Mutant[] = [];
  const waiting = inTurns(candidates(parsed.root, input));
  while (waiting.length > 0 && mutants.length < input.maxMutants) {
    const some = waiting.splice(0, input.maxMutants - mutants.length);
    const edits = some.map(({ edit }) => edit);
    const complete = await parse.completeAfter(input.language, input.text, edits);
    mutants.push(...some.filter((_, index) => complete[index] === true).map((each) => mutantOf(each, input)));
  }
  return { kind: 'mutants', mutants };
}

function mutantOf({ line, mutator, edit, node }: Candidate, input: MutationInput): Mutant {
  const within = namedFunction(node, input);
  return {
    line,
    mutator,
    before: input.text.slice(edit.start, edit.end),
    after: edit.shown ?? edit.replacement,
    text: editedText(input.text, edit),
    ...(within === null ? {} : { within }),
  };
}

function candidates(root: SyntaxNode, { text, language, changedLines }: MutationInput): Candidate[] {
  const source = { text, grammar: GRAMMARS[language] };
  const lineOf = lineFinder(text);
  const known = new Set<string>();
  const found: Candidate[] = [];
  for (const node of liveNodes(root, source)) {
    for (const { name, rank, mutate } of MUTATORS) {
      for (const [place, edit] of mutate(node, source).entries()) {
        const line = lineOf(edit.start);
        const key = `${edit.start} ${edit.end} ${edit.replacement}`;
        if (!changedLines.has(line) || known.has(key)) continue;
        if (text.slice(edit.start, edit.end) === edit.replacement) continue;
        known.add(key);
        // A test that notices the first replacement of an operator usually notices the second too.
        found.push({ line, mutator: name, rank: rank + Math.min(place, 1), edit, node });
      }
    }
  }
  return found;
}

/** The outermost named function around a node. Callers and tests use this name. */
function namedFunction(node: SyntaxNode, { text, language, changedLines }: MutationInput): NamedFunction | null {
  const grammar = GRAMMARS[language];
  let found: { readonly function: SyntaxNode; readonly name: SyntaxNode } | null = null;
  for (let each: SyntaxNode | null = node; each !== null; each = each.parent) {
    const name = grammar.functions.has(each.kind) ? functionName(each) : null;
    if (name !== null) found = { function: each, name };
  }
  if (found === null) return null;
  const { line } = found.function;
  const isReturned = isReturnedFrom(node, found.function, { text, grammar });
  return { name: textOf(found.name, text), line, isChanged: changedLines.has(line), isReturned };
}

/**
 * Whether each function between a node and the outer function is part of the value that the next function returns, or
 * is named in it.
 */
function isReturnedFrom(node: SyntaxNode, outer: SyntaxNode, source: MutatedSource): boolean {
  const { grammar, text } = source;
  const functionAbove = (below: SyntaxNode) => above(below, ({ kind }) => grammar.functions.has(kind));
  let inner = node === outer ? node : functionAbove(node);
  while (inner !== null && inner !== outer) {
    const around = functionAbove(inner);
    if (around === null || !returnedBy(around).some((each) => has(each, inner))) return false;
    inner = around;
  }
  return inner === outer;

  function returnedBy(around: SyntaxNode): SyntaxNode[] {
    return [...nodesOf(around)].flatMap((each) => {
      const returned = functionAbove(each) === around ? grammar.returned(each, text) : null;
      return returned === null ? [] : [returned];
    });
  }

  function has(returned: SyntaxNode, inner: SyntaxNode | null): boolean {
    if (inner === null) return false;
    if (returned.start <= inner.start && inner.end <= returned.end) return true;
    const name = functionName(inner);
    return name !== null && identifiersIn(returned, text).has(textOf(name, text));
  }
}

/**
 * Sorts candidates by rank and alternates the lines. Example: the second operator of a line comes together with the
 * first statement of another line, and before that line's first number.
 */
function inTurns(found: readonly Candidate[]): Candidate[] {
  const order = new Map(MUTATORS.map(({ name }, place) => [name, place]));
  const placeOf = ({ mutator }: Candidate): number => order.get(mutator) ?? MUTATORS.length;
  const perLine = new Map<number, number>();
  return found
    .toSorted((a, b) => a.rank - b.rank || placeOf(a) - placeOf(b))
    .map((candidate) => {
      const turn = perLine.get(candidate.line) ?? 0;
      perLine.set(candidate.line, turn + 1);
      return { candidate, turn };
    })
    .toSorted((a, b) => a.turn + a.candidate.rank - b.turn - b.candidate.rank || a.candidate.rank - b.candidate.rank)
    .map(({ candidate }) => candidate);
}

function* liveNodes(node: SyntaxNode, source: MutatedSource): Generator<SyntaxNode> {
  const { grammar, text } = source;
  if (grammar.inert.has(node.kind) || grammar.isTest?.(node, text) === true) return;
  yield node;
  for (const child of node.children) yield* liveNodes(child, source);
}

/** The 1-based line of an offset, by bisection. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
