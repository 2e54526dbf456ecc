import { KIND_DEFINITIONS, plannedKind } from '../../../contracts/review/change-kinds.ts';
import type { Observation, Proof } from '../../../contracts/review/proof.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import type { SessionContext } from '../../services.ts';
import { executedChanges } from '../executed/executed-changes.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import type { BreakableText } from '../mutation/chosen-mutants.ts';
import { MUTATION_SKIPPED, observeMutants, SWITCHED_OFF } from '../mutation/observe-mutants.ts';
import type { MutationObserved } from '../mutation/observe-mutants.ts';
import type { MutationFacts } from '../mutation/mutation-facts.ts';
import { asObservation, observe, planObservations } from '../observations/observe.ts';
import { withFindings } from '../observations/observed-findings.ts';
import { breakable, inspect, textsOf, withoutUncommitted } from '../observations/prove.ts';
import type { Proven } from '../observations/prove.ts';
import { observeOldTests } from '../old-tests/observe-old-tests.ts';
import { observePlain } from '../plain/observe-plain.ts';
import { caseId, describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { observeBrokenBefore } from './broken-before.ts';
import { exercisedSource } from './exercised-source.ts';
import { observeReferences } from './observe-references.ts';
import { unexecutedAdditions } from './unexecuted-additions.ts';
import type { ChangedTexts } from '../observations/changed-texts.ts';
import { newEffects } from './effects/new-effects.ts';
import type { NewEffects } from './effects/new-effects.ts';
import { untestedConstants } from './effects/untested-constants.ts';
import { unusedAdditions } from './unused-additions.ts';
import { observeVariants } from '../variants/observe-variants.ts';
import { observeRepeated } from './repeated-tests.ts';

const MAX_NAMED = 5;
/** Number of observations at green. */
const PLANNED = { refactor: 5, deletion: 5, tests: 6 } as const;

/** A green run of a change that needs no failing test. */
export interface KeptWork {
  readonly command: TestCommand;
  readonly baseline: Baseline;
  readonly run: TestRun;
  /** Lines of the changed sources that the run executed; null if lines were not counted. */
  readonly executed: ExecutedLines | null;
}

/** Makes all observations of such a change after the suite is green, according to its kind. */
export async function proveKept(context: SessionContext, work: KeptWork): Promise<Proven> {
  const { services, session } = context;
  const { command, baseline } = work;
  const changed = await textsOf(context, command);
  const { texts } = changed;
  planObservations(session, PLANNED[keptKind(context)]);
  const [own, plain, oldTests, inspected] = await Promise.all([
    ownObservations(context, work, texts),
    observe(services, session, 'plain', () => observePlain(context, command)),
    observe(services, session, 'old_tests', () => observeOldTests(context, { command, baseline, suite: work.run })),
    observe(services, session, 'findings', () =>
      inspect(context, { command, changed, cases: casesToExamine(context, work, texts) }),
    ),
  ]);
  const additions = await unprovenAdditions(context, work, changed);
  const refusal = whyRefused(own.flaky, plain.failure, session.snapshot.dirty_at_start ?? []);
  const constants =
    refusal === null
      ? await constantsToShow(context, work, additions.constants)
      : additions.constants.map(({ finding }) => finding);
  const findings = [...inspected.findings, ...additions.findings, ...constants];
  const first = withFindings([...own.observations, plain, oldTests, inspected], findings).map(asObservation);
  if (refusal !== null) return { observations: first, findings, refusal };

  const { before, after, lines = null } = await brokenSource(context, { ...work, exercised: own.exercised }, texts);
  return {
    observations: [...first, ...before, after].map(asObservation),
    findings,
    ...(after.mutants === null ? {} : { mutants: after.mutants }),
    ...(lines === null ? {} : { lines }),
    refusal: null,
  };
}

/** Findings for code that a refactoring adds and that its tests do not check. */
async function unprovenAdditions(
  context: SessionContext,
  { command, executed }: KeptWork,
  { texts, deleted }: ChangedTexts,
): Promise<NewEffects> {
  if (keptKind(context) !== 'refactor') return { findings: [], constants: [] };
  const { parseSyntax } = context.services;
  const sources = await breakable(context, command, texts);
  const unused = await unusedAdditions(texts, parseSyntax);
  const effects = await newEffects(texts, deleted, parseSyntax);
  const unexecuted = await unexecutedAdditions(sources, executed, parseSyntax);
  return { findings: [...unused, ...effects.findings, ...unexecuted], constants: effects.constants };
}

/** Findings for new constants. If policy switches mutation off, all of them are reported and the tests are not run for them. */
function constantsToShow(context: SessionContext, work: KeptWork, constants: NewEffects['constants']) {
  const isSkipped = context.services.policy().review.mutation === 'skip';
  return isSkipped
    ? constants.map(({ finding }) => finding)
    : untestedConstants(context, { ...work, suite: work.run }, constants);
}

/** New cases are part of the proof only if the kind is `tests`. */
function casesToExamine(context: SessionContext, work: KeptWork, texts: readonly ChangedText[]): readonly string[] {
  return keptKind(context) === 'tests' ? [...newCases(work, testFiles(texts))] : [];
}

function whyRefused(flaky: readonly string[], failure: string | null, dirty: readonly string[]): Proven['refusal'] {
  if (flaky.length > 0) {
    const named = listFirst(flaky, { max: MAX_NAMED, separator: '; ', name: (id) => describeCase(id as TestCaseId) });
    const why = `Two runs of the same files gave different results: ${named}. A new test has to pass each time. Take out what changes between runs: the clock, random values, files left behind, order, state kept between cases.`;
    return { code: 'flaky', why };
  }
  return failure === null ? null : { code: 'plain_run_failed', why: withoutUncommitted(failure, dirty) };
}

interface Own {
  readonly observations: readonly Observation[];
  readonly flaky: readonly string[];
  /** The source that new tests use; only for the kind `tests`. */
  readonly exercised: readonly BreakableText[];
}

async function ownObservations(context: SessionContext, work: KeptWork, texts: readonly ChangedText[]): Promise<Own> {
  const { services, session } = context;
  const kind = keptKind(context);
  switch (kind) {
    case 'refactor':
      return { observations: [opening(context)], flaky: [], exercised: [] };
    case 'deletion': {
      const references = await observe(services, session, 'references', () => observeReferences(context));
      return { observations: [opening(context), references], flaky: [], exercised: [] };
    }
    case 'tests': {
      const files = testFiles(texts);
      const passed = casesIn(work.run, files);
      const repeated = await observe(services, session, 'repeated', () =>
        observeRepeated(context, work.command, passed, files),
      );
      const cases = [...newCases(work, files)];
      const sources = await exercisedSource(context, work.command, written(texts));
      const variants = await observeVariants(context, { ...work, suite: work.run, texts, cases, sources });
      return {
        observations: variants === null ? [repeated] : [repeated, variants],
        flaky: repeated.flaky,
        exercised: sources,
      };
    }
    default:
      return assertNever(kind);
  }
}

/**
 * Runs the tests on mutants of the changed source. For a refactoring, also on mutants of the old lines. For the kind
 * `tests`, on mutants of the source that the tests use.
 */
async function brokenSource(
  context: SessionContext,
  work: KeptWork & Pick<Own, 'exercised'>,
  texts: readonly ChangedText[],
): Promise<{
  readonly before: readonly Observation[];
  readonly after: Observation & MutationObserved;
  readonly lines?: Proof['lines'] | null;
}> {
  const { services, session } = context;
  const kind = keptKind(context);
  const isSkipped = services.policy().review.mutation === 'skip';
  const { breaks } = KIND_DEFINITIONS[kind];
  const executed = { bySuite: work.executed, byNew: null };
  const facts = {
    command: work.command,
    suite: work.run,
    files: testFiles(texts),
  };
  const mutate = (
    more: Pick<MutationFacts, 'sources' | 'cases' | 'executed'>,
  ): Promise<Observation & MutationObserved> =>
    observe(services, session, 'mutation', () =>
      isSkipped ? Promise.resolve(MUTATION_SKIPPED) : observeMutants(context, { ...facts, breaks, ...more }),
    );
  switch (kind) {
    case 'deletion':
      return { before: [], after: await mutate({ sources: await breakable(context, work.command, texts), executed }) };
    case 'refactor': {
      const before = await observe(services, session, 'mutation_before', () =>
        isSkipped
          ? Promise.resolve({ outcome: 'impossible' as const, detail: SWITCHED_OFF })
          : observeBrokenBefore(context, facts),
      );
      const sources = await breakable(context, work.command, texts);
      const lines = await executedChanges(sources, work.executed, services.parseSyntax);
      return { before: [before], after: await mutate({ sources, executed }), lines };
    }
    case 'tests':
      return { before: [], after: await mutate({ sources: work.exercised, cases: newCases(work, facts.files) }) };
    default:
      return assertNever(kind);
  }
}

function keptKind({ session }: SessionContext): 'refactor' | 'deletion' | 'tests' {
  const kind = plannedKind(session.snapshot.kind);
  if (kind === 'feature' || kind === 'fix') throw new Error(`a change of kind ${kind} is proved by red`);
  return kind;
}

/** The observation of the run that opened the source. */
function opening({ session }: SessionContext): Observation {
  const { opened } = session.snapshot;
  if (opened === null) throw new Error('source is written without a run that opened it');
  const { passed, cases } = opened;
  const written = cases.length === 0 ? '' : `, ${cases.length} of them in new or changed files`;
  const detail = `${passed} passed before the source could be written${written}`;
  return { observation: 'opening', outcome: 'held', detail, duration_ms: 0 };
}

function written(texts: readonly ChangedText[]): ChangedText[] {
  return texts.filter(({ role }) => role === 'test');
}

function testFiles(texts: readonly ChangedText[]): string[] {
  return written(texts).map(({ path }) => path);
}

function casesIn(run: TestRun, files: readonly string[]): string[] {
  return run.cases.filter(({ file, status }) => status === 'passed' && files.includes(file)).map(caseId);
}

/**
 * Cases that did not pass before. If there are none, because old cases were rewritten, all passed cases of these files.
 */
function newCases({ run, baseline }: KeptWork, files: readonly string[]): ReadonlySet<string> {
  const old = new Set<string>(baseline.kind === 'known' ? baseline.passed : []);
  const cases = casesIn(run, files);
  const added = cases.filter((id) => !old.has(id));
  return new Set(added.length === 0 ? cases : added);
}
