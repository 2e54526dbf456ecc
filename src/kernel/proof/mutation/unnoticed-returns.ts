import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { Finding } from '../../../contracts/review/proof.ts';
import type { SessionContext } from '../../services.ts';
import { addedEffects } from './added-effects.ts';
import { alteredEffects } from './altered-effects.ts';
import { brokenRunner, withText } from './broken-run.ts';
import type { Tried } from './broken-run.ts';
import { changedText } from './changed-hunks.ts';
import type { BreakableText } from './chosen-mutants.ts';
import { deletedRules } from './deleted-rules.ts';
import type { PutBack } from './deleted-rules.ts';
import type { KnownLines } from './known-lines.ts';
import type { MutationFacts } from './mutation-facts.ts';
import type { Noticed } from './unnoticed-functions.ts';

/** Maximum per file; each costs a run of the suite. */
const MAX_RULES = 5;
const MAX_EFFECTS = 8;
const NOT_ENDED = 'the tests did not end in time, twice';

interface Return extends PutBack, Pick<Finding, 'kind' | 'path'> {
  /** Whether the line is one that the tests run, so only those test files are needed that run it. */
  readonly isPresent?: boolean;
}

/**
 * Returns findings for code that the change removed, altered or added in old code, if no test fails when it is as it was
 * before.
 */
export async function unnoticedReturns(
  context: SessionContext,
  facts: MutationFacts,
  given: {
    readonly others: readonly string[];
    readonly staged: readonly ViewEntry[];
    readonly stopMs: number;
    readonly known: KnownLines;
    readonly noticed: Noticed;
  },
): Promise<Finding[]> {
  const { services } = context;
  const all = (await Promise.all(facts.sources.map((source) => returnsOf(context, source)))).flat();
  const { found, returns } = withinLimits(all);
  const mutants = new Map([...given.noticed].map(([{ mutant }, isNoticed]) => [mutant.text, isNoticed]));
  const waiting = returns.filter(({ text }) => mutants.get(text) !== true);
  if (waiting.length === 0) return found;
  const scratch = await services.workspaces.scratch();
  try {
    for (const { kind, path, line, words, text, isPresent } of waiting) {
      const overrides = withText(path, text, given.staged);
      const run = brokenRunner(context, facts, { ...scratch, overrides }, given.stopMs);
      const tests = { first: facts.files, others: given.others };
      const { first, others } = isPresent === true ? given.known.filesFor({ path, mutant: { line } }, tests) : tests;
      const isUnnoticed = mutants.get(text) === false;
      const result = isUnnoticed ? ({ kind: 'unnoticed' } as const) : await inTime(() => run([...first, ...others]));
      const why = result.kind === 'not-made' ? result.why : result.kind === 'not-ended' ? NOT_ENDED : null;
      if (result.kind === 'unnoticed') found.push({ kind, path, line, words: `no test fails when ${words}` });
      else if (why !== null)
        found.push({ kind, path, line, words: `it was not tried whether a test fails when ${words}: ${why}` });
    }
  } finally {
    await scratch.close();
  }
  return found;
}

/** Old code hardly ever runs without an end. If its tests do not end, the machine may be busy, so they run once more. */
async function inTime(run: () => Promise<Tried>): Promise<Tried> {
  const tried = await run();
  return tried.kind === 'not-ended' ? run() : tried;
}

async function returnsOf({ services }: SessionContext, { path, before, after }: BreakableText): Promise<Return[][]> {
  if (before === null) return [];
  const change = changedText(before, after);
  const rules = deletedRules(change);
  const altered = await alteredEffects(path, change, services.parseSyntax);
  const added = await addedEffects(path, change, services.parseSyntax);
  const isNew = ({ text }: PutBack, known: readonly PutBack[]) => !known.some((each) => each.text === text);
  return [
    rules.map((each) => ({ kind: 'unnoticed-deletion', path, ...each })),
    altered.filter((each) => isNew(each, rules)).map((each) => ({ kind: 'unnoticed-change', path, ...each })),
    added
      .filter((each) => isNew(each, [...rules, ...altered]))
      .map(({ line, words, text }) => ({ kind: 'unnoticed-change', path, line, words, text, isPresent: true })),
  ];
}

/** What is not tried may be hidden behind what is, so it is a finding by itself. */
function withinLimits(all: readonly (readonly Return[])[]): { readonly found: Finding[]; readonly returns: Return[] } {
  const found: Finding[] = [];
  const returns = all.flatMap((each) => {
    const max = each[0]?.kind === 'unnoticed-deletion' ? MAX_RULES : MAX_EFFECTS;
    const [first] = each.slice(max);
    if (first !== undefined)
      found.push({
        kind: first.kind,
        path: first.path,
        line: first.line,
        words: `${each.length - max} more like this were not tried: ${first.words}`,
      });
    return each.slice(0, max);
  });
  return { found, returns };
}
