import { KIND_DEFINITIONS } from '../../../contracts/review/change-kinds.ts';
import { OBSERVATION_TITLES } from '../../../contracts/review/proof.ts';
import type { Finding, Observation, Proof } from '../../../contracts/review/proof.ts';
import type { Baseline, Red } from '../../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { EvidenceReason } from '../../../contracts/model/tool-errors.ts';
import { classifyPath } from '../../policy/index.ts';
import { collectsInProject, whyUnchecked } from '../../runners/command-parts.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import type { Services, SessionContext } from '../../services.ts';
import { executedChanges } from '../executed/executed-changes.ts';
import { inspectChange } from '../findings/inspect-change.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { isNotApplicable, MUTATION_SKIPPED, observeMutants } from '../mutation/observe-mutants.ts';
import { observeOldTests } from '../old-tests/observe-old-tests.ts';
import { stagedWork } from '../in-source/staged-work.ts';
import { observeHollow, unbuiltFiles } from '../stand-ins/observe-hollow.ts';
import { observePlain } from '../plain/observe-plain.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { describeCase, newCasesAtGreen, splitCaseId } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { unnoticedTogether } from '../trivial/unnoticed-together.ts';
import { splitChanges } from '../views/split-changes.ts';
import { changedTexts } from './changed-texts.ts';
import { loadedHelpers } from './loaded-helpers.ts';
import type { ChangedTexts } from './changed-texts.ts';
import { observeVariants, repeatedTests } from '../variants/observe-variants.ts';
import { asObservation, observe, planObservations } from './observe.ts';
import type { Observed } from './observe.ts';
import { describeFinding, observedFindings, withFindings } from './observed-findings.ts';
import { projectFiles } from './project-files.ts';
import { observeRemoval, redFiles } from './removal.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

/** The work that was judged green. */
export interface GreenWork {
  readonly command: TestCommand;
  readonly red: Red;
  readonly baseline: Baseline;
  /** The run of the whole suite that was judged green. */
  readonly suite: TestRun;
  /** Lines of the changed sources that the suite executed; null if lines were not counted. */
  readonly executed: ExecutedLines | null;
}

export interface Proven extends Proof {
  /** Why the change is not ready for review, as text for the model. */
  readonly refusal: { readonly code: EvidenceReason; readonly why: string } | null;
}

const MAX_NAMED = 10;
/** Number of observations for every change. Observations with stand-ins are not always made. */
const EACH_TIME = 6;

/**
 * Makes all observations after the suite is green, each in its own views and sandboxes. Observations that can refuse
 * the change run first, at the same time. Mutants cost most, so they run only if nothing refused the change.
 */
export async function prove(context: SessionContext, work: GreenWork): Promise<Proven> {
  const { services, session } = context;
  const { command, red } = work;
  // Started here, so that only the findings wait for the texts.
  const changing = textsOf(context, command);
  const breaking = changing.then(({ texts }) => breakable(context, command, texts));
  const before = work.baseline.kind === 'known' ? work.baseline.passed : [];
  const cases = newCasesAtGreen({ red, before, suite: work.suite.cases });
  const unbuilt = unbuiltFiles(command, red);
  planObservations(session, unbuilt.length === 0 ? EACH_TIME : EACH_TIME + 1);
  const [removal, hollow, plain, oldTests, inspected, variants] = await Promise.all([
    observe(services, session, 'removal', () => observeRemoval(context, work)),
    unbuilt.length === 0
      ? null
      : observe(services, session, 'stand_ins', async () => {
          return observeHollow(context, { ...work, files: unbuilt, sources: await breaking });
        }),
    observe(services, session, 'plain', () => observePlain(context, command)),
    observe(services, session, 'old_tests', () => observeOldTests(context, work)),
    observe(services, session, 'findings', async () => inspect(context, { command, changed: await changing, cases })),
    changing.then(async ({ texts }) => observeVariants(context, { ...work, texts, cases, sources: await breaking })),
  ]);
  const standIns = [red.stand_ins ?? null, hollow].filter((each) => each !== null);
  const first = [...standIns, removal, ...(variants === null ? [] : [variants]), plain, oldTests, inspected];
  const { findings } = inspected;
  const refusal = refusalOf(
    removal.flaky,
    plain.failure === null ? null : withoutUncommitted(plain.failure, context.session.snapshot.dirty_at_start ?? []),
  );
  if (refusal !== null) return { observations: first.map(asObservation), findings: [...findings], refusal };

  const sources = await breaking;
  const { texts } = await changing;
  const files = redFiles(red);
  const isSkipped = services.policy().review.mutation === 'skip';
  const broken = await observe(services, session, 'mutation', () =>
    isSkipped
      ? Promise.resolve(MUTATION_SKIPPED)
      : observeMutants(context, {
          ...work,
          sources,
          breaks: KIND_DEFINITIONS.feature.breaks,
          eachFunction: true,
          // If the copies already differ without a mutant, they cannot show that a mutant was noticed.
          ...(variants?.outcome === 'held'
            ? { repeated: () => repeatedTests(context, { texts, cases, sources }) }
            : {}),
          files,
          executed: { bySuite: work.executed, byNew: removal.executed },
        }),
  );
  const together = isSkipped ? [] : await unnoticedTogether(context, { ...work, texts, sources, cases, files });
  const lines = await executedChanges(sources, removal.executed, services.parseSyntax);
  const all = [...findings, ...broken.unnoticed, ...together];
  return {
    observations: withFindings([...first, broken], all).map(asObservation),
    findings: all,
    ...(broken.mutants === null ? {} : { mutants: broken.mutants }),
    ...(lines === null ? {} : { lines }),
    refusal: null,
  };
}

export async function textsOf(context: SessionContext, command: TestCommand): Promise<ChangedTexts> {
  const { services, workspace } = context;
  const work = await stagedWork(context);
  const project = await services.workspaces.scratch();
  try {
    return await changedTexts(workspace, project.workspace, work, isTestOf(services, command));
  } finally {
    await project.close();
  }
}

/** Whether a path is a test by policy, or the runner collects it. */
function isTestOf(services: Services, command: TestCommand): (path: string) => boolean {
  return (path) => classifyPath(services.policy(), path).kind === 'test' || collectsInProject(command, path);
}

/**
 * Returns the changed sources that can be mutated. A file without a grammar counts only if policy calls it source: no
 * test covers text for people.
 */
export async function breakable(
  { services, workspace }: SessionContext,
  command: TestCommand,
  texts: readonly ChangedText[],
): Promise<ChangedText[]> {
  const { source } = splitChanges(services, command, await workspace.changes());
  const paths = new Set(source.map(({ path }) => path));
  return texts.filter(({ path, role }) => role === 'source' && paths.has(path) && isCode(services, path));
}

/** Whether a path is a program or a test. Test data and text for people are not. */
function isCode(services: Services, path: string): boolean {
  return languageOfFile(path) !== null || classifyPath(services.policy(), path).kind === 'source';
}

export interface InspectedWork {
  readonly command: TestCommand;
  readonly changed: ChangedTexts;
  /** Ids of the new cases. */
  readonly cases: readonly string[];
}

export async function inspect(
  context: SessionContext,
  { command, changed: { texts, unread }, cases }: InspectedWork,
): Promise<Observed & { readonly findings: readonly Finding[] }> {
  const { services } = context;
  const isTest = isTestOf(services, command);
  const inspected = await inspectChange(texts, services.parseSyntax, {
    reported: cases.map(splitCaseId),
    isTest,
    isCode: (path) => isCode(services, path),
    unread,
    helpers: await loadedHelpers(context, texts, isTest),
    files: projectFiles(context.workspace),
  });
  const findings = [...uncheckedResults(command, texts), ...inspected];
  return observedFindings(findings);
}

/**
 * A finding if the results of the runner cannot be checked. So neither policy nor a verifier accepts these results as
 * proof.
 */
function uncheckedResults(command: TestCommand, texts: readonly ChangedText[]): Finding[] {
  const unchecked = whyUnchecked(command);
  const [first] = texts;
  if (unchecked === undefined || first === undefined) return [];
  const { path } = texts.find(({ role }) => role === 'test') ?? first;
  return [{ kind: 'unchecked-results', path, line: 1, words: unchecked }];
}

function refusalOf(flaky: readonly string[], failure: string | null): Proven['refusal'] {
  if (flaky.length > 0) return { code: 'flaky', why: whyFlaky(flaky) };
  return failure === null ? null : { code: 'plain_run_failed', why: failure };
}

/** Adds the most likely reason to a failure of the plain run: the run does not contain the user's uncommitted work. */
export function withoutUncommitted(failure: string, dirty: readonly string[]): string {
  if (dirty.length === 0) return failure;
  return `${failure}\nIt may pass only together with uncommitted work of the user (${listFirst(dirty, { max: MAX_NAMED })}), which is not part of the commit. Do not use uncommitted files.`;
}

function whyFlaky(cases: readonly string[]): string {
  const named = listFirst(cases, { max: 5, separator: '; ', name: (id) => describeCase(id as TestCaseId) });
  return `Two runs of the same files gave different results: ${named}. A new test has to fail each time without the new source, and pass each time with it. Go back with workflow.revise_tests and take out what changes between runs: the clock, random values, files left behind, order, state kept between cases.`;
}

/** The texts that a person has to read before this is committed. */
export function reasonsOf({ observations, findings }: Pick<Proof, 'observations' | 'findings'>): string[] {
  return [
    ...findings.map((finding) => `Look at ${describeFinding(finding)}`),
    ...observations.flatMap((each) =>
      isReason(each) ? [`${OBSERVATION_TITLES[each.observation]}: ${wordsOf(each)}`] : [],
    ),
  ];
}

/**
 * Whether an observation needs its own line at review. Findings are listed separately. Policy decides how many mutants
 * must be noticed, so mutation needs a line only if mutants could not be tried.
 */
function isReason({ observation, outcome, detail }: Observation): boolean {
  if (observation === 'mutation') return outcome === 'impossible' && !isNotApplicable(detail);
  return outcome !== 'held' && observation !== 'findings';
}

function wordsOf({ outcome, detail }: Observation): string {
  return outcome === 'impossible' ? `not possible, ${detail}` : detail;
}
