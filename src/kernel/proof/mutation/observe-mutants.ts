import type { Finding, Mutants } from '../../../contracts/review/proof.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { SessionContext } from '../../services.ts';
import { countObservation } from '../observations/observe.ts';
import type { Observed } from '../observations/observe.ts';
import { collectTestFiles } from '../run/run-tests.ts';
import { stagedEntries, withEntries } from '../views/staged-entries.ts';
import { MIN_MUTANTS, mutantsInTurns } from './chosen-mutants.ts';
import type { ChosenMutant } from './chosen-mutants.ts';
import { brokenRunner, NO_TIME, withText } from './broken-run.ts';
import { describeSurvivor } from './describe-survivor.ts';
import { codeLinesOf } from '../executed/code-lines.ts';
import { KnownLines } from './known-lines.ts';
import type { MutationFacts } from './mutation-facts.ts';
import { mutantsOfUnnoticed, nextUnnoticed, unnoticedFunctions } from './unnoticed-functions.ts';
import { unnoticedReturns } from './unnoticed-returns.ts';

export interface MutationObserved extends Observed {
  /** null if no mutant was tried. */
  readonly mutants: Mutants | null;
  /** Functions of which no mutant was noticed, and removed or altered code that can be put back without a failing test. */
  readonly unnoticed: readonly Finding[];
}

/** The number of test sandboxes that run at the same time. */
const WORKERS = 2;
const BUDGET_MS = 30_000;
/** Minimum number of tried mutants, because some runs can be lost. With fewer, the observation is impossible. */
const MIN_TRIED = 5;
/** Everything stops after the budget times this number. */
const MAX_BUDGETS = 3;

export const SWITCHED_OFF = 'switched off by policy';
export const MUTATION_SKIPPED: MutationObserved = impossible(SWITCHED_OFF);
const NOTHING_TO_BREAK = 'no mutant can be made of ';

/** Whether no mutant was tried because policy switched mutation off, or because no mutant can be made. */
export function isNotApplicable(detail: string): boolean {
  return detail === SWITCHED_OFF || detail.startsWith(NOTHING_TO_BREAK);
}

/**
 * Tries mutants one by one and checks whether a test notices each. The new tests run first, then the other tests if no
 * new test notices. If it is known which tests execute the line, only those run. A mutant that crashes or never ends
 * counts as noticed. A mutant whose run could not be made, or that cannot be built, counts as not tried. For a small
 * change, the number of mutants is the same on every machine, however slow, so the grade is the same too.
 */
export async function observeMutants(context: SessionContext, facts: MutationFacts): Promise<MutationObserved> {
  const { services, workspace } = context;
  const { chosen, spare } = await mutantsInTurns(facts.sources, services.parseSyntax);
  const { breaks } = facts;
  if (chosen.length === 0) return impossible(`${NOTHING_TO_BREAK}${breaks}`);
  const staged = await stagedEntries(workspace, facts.shown ?? (await workspace.changes()));
  if (staged.kind === 'failed') return impossible(`${staged.path} could not be read`);
  const all = await collectTestFiles(workspace, facts.command);
  if (all === null) return impossible('not all test files could be listed');
  const others = facts.cases === undefined ? all.filter((file) => !facts.files.includes(file)) : [];

  const known = new KnownLines(
    facts.executed ?? { bySuite: null, byNew: null },
    await codeLinesOf(facts.sources, services.parseSyntax),
  );
  const noticed = new Map<ChosenMutant, boolean>();
  let notMade: string | null = null;
  let notBuilt = 0;
  const budgetMs = Math.max(BUDGET_MS, 2 * facts.suite.duration_ms);
  const startMs = services.clock.monotonicMs();
  const endsMs = startMs + budgetMs;
  const stopMs = startMs + MAX_BUDGETS * budgetMs;
  const waiting = [...chosen];
  let ended = 0;
  let running = 0;
  const count = () =>
    countObservation(context.session, facts.observation ?? 'mutation', ended, ended + running + waiting.length);
  const worker = async (): Promise<void> => {
    const scratch = await services.workspaces.scratch();
    try {
      for (let each = next(); each !== undefined; each = next()) {
        running += 1;
        const run = brokenRunner(context, facts, { ...scratch, overrides: entriesOf(each, staged.entries) }, stopMs);
        const files = known.filesFor(each, { first: facts.files, others });
        const first = await run(files.first);
        const result = first.kind === 'unnoticed' && files.others.length > 0 ? await run(files.others) : first;
        if (result.kind === 'not-made') notMade = result.why;
        else if (result.kind === 'not-built') notBuilt += chosen.includes(each) ? 1 : 0;
        else noticed.set(each, result.kind !== 'unnoticed');
        running -= 1;
        ended += 1;
        count();
      }
    } finally {
      await scratch.close();
    }
  };
  const next = (): ChosenMutant | undefined => {
    const nowMs = services.clock.monotonicMs();
    const isOver = nowMs > stopMs || (nowMs > endsMs && noticed.size >= MIN_MUTANTS);
    return isOver ? undefined : waiting.shift();
  };
  let left = facts.eachFunction === true ? spare : [];
  do {
    count();
    await Promise.all(Array.from({ length: WORKERS }, worker));
    waiting.push(...nextUnnoticed(noticed, left));
    left = left.filter((each) => !waiting.includes(each));
  } while (waiting.length > 0 && services.clock.monotonicMs() <= endsMs);
  await tryRepeated(context, facts, { noticed, staged: staged.entries, stopMs });
  const returns =
    facts.eachFunction === true
      ? await unnoticedReturns(context, facts, { others, staged: staged.entries, stopMs, known, noticed })
      : [];
  const tried = chosen.filter((each) => noticed.has(each));
  if (tried.length === 0 && notBuilt === chosen.length) return impossible(`no mutant of ${breaks} can be built`);
  if (tried.length < Math.min(MIN_TRIED, chosen.length - notBuilt))
    return impossible(
      `only ${tried.length} of ${chosen.length} mutants of ${breaks} could be run: ${notMade ?? NO_TIME}`,
    );
  const shown = tried.map((each) => ({
    ...each,
    noticed: noticed.get(each) === true,
    unexecuted: known.unexecuted(each),
  }));
  const functions = facts.eachFunction === true ? unnoticedFunctions(noticed) : [];
  return { ...judgeMutants(shown, breaks), unnoticed: [...functions, ...returns] };
}

/** Tries the unnoticed mutants again with each case written twice: only the second case can notice a mutant that keeps state. */
async function tryRepeated(
  context: SessionContext,
  facts: MutationFacts,
  given: {
    readonly noticed: Map<ChosenMutant, boolean>;
    readonly staged: readonly ViewEntry[];
    readonly stopMs: number;
  },
): Promise<void> {
  const { noticed, staged, stopMs } = given;
  const unnoticed = mutantsOfUnnoticed(noticed);
  if (unnoticed.length === 0 || facts.repeated === undefined) return;
  const { files, entries } = await facts.repeated();
  if (files.length === 0) return;
  const scratch = await context.services.workspaces.scratch();
  try {
    for (const each of unnoticed) {
      const overrides = withEntries(entriesOf(each, staged), entries);
      const run = brokenRunner(context, facts, { ...scratch, overrides }, stopMs);
      const { kind } = await run(files);
      if (kind === 'noticed' || kind === 'not-ended') noticed.set(each, true);
    }
  } finally {
    await scratch.close();
  }
}

/** Pure: computes the outcome from the mutants that were tried. */
export function judgeMutants(
  tried: readonly (ChosenMutant & { readonly noticed: boolean; readonly unexecuted?: string })[],
  breaks: string,
): Omit<MutationObserved, 'unnoticed'> {
  const survivors = tried
    .filter(({ noticed }) => !noticed)
    .map(({ path, mutant, unexecuted = '' }) => ({
      path,
      line: mutant.line,
      mutator: mutant.mutator,
      words: `${describeSurvivor(path, mutant)}${unexecuted}`,
    }));
  const noticed = tried.length - survivors.length;
  return {
    outcome: noticed * 3 >= tried.length * 2 ? 'held' : 'failed',
    detail: `${noticed} of ${tried.length} mutants of ${breaks} noticed${survivors.map(({ words }) => `; ${words}`).join('')}`,
    mutants: { tried: tried.length, noticed, survivors },
  };
}

function entriesOf({ path, mutant }: ChosenMutant, staged: readonly ViewEntry[]): ViewEntry[] {
  return withText(path, mutant.text, staged);
}

function impossible(detail: string): MutationObserved {
  return { outcome: 'impossible', detail, mutants: null, unnoticed: [] };
}
