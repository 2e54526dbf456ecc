import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import type { CaseCounts, TestProgress } from '../../../contracts/ports/sandboxes.ts';
import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { ProjectPath, SessionId } from '../../../contracts/ids.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { OverlayView, Workspace } from '../../../contracts/ports/workspace.ts';
import { collectedBy, filesByPart, partsOf } from '../../runners/command-parts.ts';
import type { TestPart } from '../../runners/command-parts.ts';
import { countCases } from '../../runners/count-cases.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import { executedLines, judgeRun } from '../../runners/judge-run.ts';
import { plainEnvironment } from '../../runners/plain-command.ts';
import { requireRunner } from '../../runners/registry.ts';
import type { Canary, Runner } from '../../runners/runner.ts';
import type { Snapshot } from '../../../contracts/session/session-snapshot.ts';
import type { Session } from '../../session/session.ts';
import { readableFiles, whyHidden } from '../../access/readable-files.ts';
import type { Services } from '../../services.ts';
import { mergeAttempts } from './merge-attempts.ts';
import type { Attempt } from './merge-attempts.ts';
import { inSourceTests } from '../in-source/source-parts.ts';
import { textAt } from '../read-text.ts';
import { runNetwork, withNetwork } from '../test-network.ts';
import { notRun } from './not-run.ts';
import { caseLimitIn } from './time-limits.ts';
import { withUnbuilt } from './unbuilt-files.ts';
import { inProjectImage, inProjectNode, jobEnvironment } from './with-toolchains.ts';

/** Used if the user's configuration has no timeout. */
export const TEST_TIMEOUT_MS = 300_000;
const MAX_REPORT_BYTES = 16 * 1024 * 1024;
/** Maximum number of files in the project, or in the directory that the tests run in. */
const MAX_FILES = 500_000;

const NOT_LISTED =
  `Not all files could be listed, in time or because there are more than ${MAX_FILES}, so the tests are not known. ` +
  'Run it again, or have the tests start in a smaller directory (test.cwd in the configuration).';

/** The whole environment of every test sandbox. Nothing is inherited from the container, and no variable shows that it is one. */
const ENVIRONMENT = plainEnvironment([]);

/** The view of the project that tests run on, and the session that they run for. */
export interface TestSite {
  /** Owner of the sandboxes: the id of the session, or of a second view of the project. */
  readonly id: SessionId;
  readonly workspace: Workspace;
  /** State and mode decide which files the tests may read. `test_network`, from the last call of test.run, decides which hosts they reach. */
  readonly session: Pick<Session, 'state' | 'mode'> & { readonly snapshot?: Pick<Snapshot, 'test_network'> };
  /** Entries that replace entries of the project in this view. */
  readonly overrides?: OverlayView['overrides'];
  /** Sources whose executed lines are counted. */
  readonly cover?: readonly string[];
  /** Called during a run, if its runner counts cases. */
  readonly onCounts?: (counts: CaseCounts) => void;
  /** Time limit of the run; default: the limit of the test command. */
  readonly deadlineMs?: number;
  /** Time limit of a case without one of its own; default: a little less than that of the run. */
  readonly caseMs?: number;
}

/**
 * Returns all test files that the configured runner collects, in the workspace with `overrides`, sorted. null if not all files of the project could be
 * listed: a part of the suite proves nothing.
 */
export async function collectTestFiles(
  workspace: Workspace,
  command: TestCommand,
  overrides: OverlayView['overrides'] = [],
): Promise<string[] | null> {
  const [{ cwd }, ...others] = partsOf(command);
  const { paths, truncated } = await workspace.glob('**/*', (others.length === 0 ? cwd : '') as ProjectPath, MAX_FILES);
  if (truncated) return null;
  const found = new Set(paths);
  for (const { path, entry } of overrides) {
    if (entry.kind === 'absent') found.delete(path);
    else if (entry.kind === 'file') found.add(path);
  }
  const written = new Map(overrides.map(({ path, entry }) => [path, entry]));
  const collected = collectedBy(command);
  const files: string[] = [];
  for (const path of found) {
    const how = collected(path);
    if (how === 'file') files.push(path);
    else if (how === 'inside') {
      const entry = written.get(path);
      const text = entry?.kind === 'file' ? decodeUtf8(entry.bytes) : await textAt(workspace, path);
      if (inSourceTests(languageOfFile(path))?.marks.test(text ?? '') === true) files.push(path);
    }
  }
  return files.sort();
}

/**
 * Runs the project's tests once. An invalid run has a reason. `files` are project-relative. An empty list makes a run without cases; null makes an invalid
 * run. Files that the run writes are dropped. If it changes a project file, the run is invalid.
 */
export async function runTests(
  services: Services,
  site: TestSite,
  command: TestCommand,
  files: readonly string[] | null,
  signal: AbortSignal,
): Promise<TestRun> {
  return (await attemptTests(services, site, command, files, signal)).run;
}

/**
 * Like `runTests`, with the executed lines. Each part of the command runs its own files, one part after the other, because a sandbox has the image of one
 * runner.
 */
export async function attemptTests(
  services: Services,
  site: TestSite,
  command: TestCommand,
  files: readonly string[] | null,
  signal: AbortSignal,
): Promise<Attempt> {
  if (files === null)
    return { made: false, run: { ...emptyRun(), outcome: 'invalid', why: NOT_LISTED }, executed: null };
  const attempts: Attempt[] = [];
  for (const group of filesByPart(command, files)) {
    const ended = attempts.flatMap(({ run }) => run.cases);
    attempts.push(await attemptPart(services, countedFrom(site, ended), group.part, group.files, signal));
  }
  const [first, ...others] = attempts;
  return first === undefined ? { made: true, run: emptyRun(), executed: null } : mergeAttempts([first, ...others]);
}

/** Adds the cases of the parts that have ended to the counts of the present part. */
function countedFrom(site: TestSite, ended: readonly TestCase[]): TestSite {
  const { onCounts } = site;
  if (onCounts === undefined || ended.length === 0) return site;
  const { failed } = countCases(ended);
  return {
    ...site,
    onCounts: (counts) => onCounts({ done: counts.done + ended.length, failed: counts.failed + failed }),
  };
}

/**
 * Runs a part, and repeats the run once if the sandbox was lost or its first process was killed. Code inside the sandbox cannot cause either, so the first
 * run says nothing about the tests.
 */
async function attemptPart(...run: Parameters<typeof attemptOnce>): Promise<Attempt> {
  const first = await attemptOnce(...run);
  const isLost = first.made ? first.run.outcome === 'killed' : first.run.outcome === 'crashed';
  return isLost ? attemptOnce(...run) : first;
}

async function attemptOnce(
  services: Services,
  site: TestSite,
  command: TestPart,
  files: readonly string[],
  signal: AbortSignal,
): Promise<Attempt> {
  const made = (run: TestRun, executed: ExecutedLines | null = null): Attempt => ({ made: true, run, executed });
  const { workspace, session, overrides = [], cover = [], deadlineMs = command.timeout_ms ?? TEST_TIMEOUT_MS } = site;
  const runner = requireRunner(command.runner);
  const canary = {
    prefix: services.random.id('canary', 24),
    reportName: services.random.id('report', 24),
    progressName: services.random.id('report', 24),
  };
  const plan = {
    command,
    projectRoot: services.options.project_root,
    files,
    canary,
    cover,
    caseMs: caseLimitIn(deadlineMs, site.caseMs),
  };
  const planned = runner.plan(plan);
  const { toolchains, project_image: image } = services.options;
  const allowed = session.snapshot?.test_network ?? null;
  const network = runNetwork(services.options, allowed);
  const env = jobEnvironment(ENVIRONMENT, planned.env, toolchains);
  const inside = inProjectNode({ ...planned, env }, runner, toolchains);
  const job = withNetwork(inProjectImage(inside, image), services.options, allowed);
  const startedMs = services.clock.monotonicMs();
  const outcome = await workspace.overlay(
    (slot) =>
      services.sandboxes.test({
        session: site.id,
        slot,
        job,
        deadlineMs,
        maxReportBytes: command.max_report_bytes ?? MAX_REPORT_BYTES,
        ...progressOf(site, canary),
        ...(network === undefined ? {} : { network }),
        signal,
      }),
    { visible: readableFiles(services, session), overrides },
  );
  const invalid = (result: TestRun['outcome'], why: string): TestRun => ({
    ...emptyRun(),
    outcome: result,
    why,
    requested: [...files],
    duration_ms: services.clock.monotonicMs() - startedMs,
  });
  const notMade = (run: TestRun): Attempt => ({ made: false, run, executed: null });
  if (outcome.kind === 'moved') return notMade(invalid('invalid', 'The project kept changing while the tests ran.'));
  if (outcome.kind === 'refused') return notMade(invalid('invalid', `The run was refused: ${outcome.reason}`));
  await outcome.discard();
  const { value } = outcome;
  if (value.kind !== 'ran') {
    const { result, why } = notRun(value);
    return {
      made: value.kind === 'timed-out' || value.kind === 'out-of-memory',
      run: invalid(result, why),
      executed: null,
    };
  }
  const touched = await touchedFiles(site, outcome.changes, runner);
  if (touched.length > 0) {
    return made(
      invalid(
        'invalid',
        `The tests changed files of the project: ${touched.slice(0, 5).join(', ')}. A run that changes the tested files proves nothing.`,
      ),
    );
  }
  const run = judgeRun(runner, plan, value.result);
  const executed = cover.length === 0 ? null : executedLines(runner, plan, value.result);
  const hidden = outcome.hidden.length === 0 ? {} : { hidden: whyHidden(services, session, outcome.hidden) };
  return made({ ...(await withUnbuilt(workspace, plan.projectRoot, command, run)), ...hidden }, executed);
}

/** The runner writes the progress file in every run. So code under test cannot see from this file whether somebody reads the counts. */
function progressOf({ onCounts }: TestSite, { progressName }: Canary): { readonly progress?: TestProgress } {
  return onCounts === undefined ? {} : { progress: { name: progressName, onCounts } };
}

/** Runs the whole suite in its present state, or only the test files at or below `paths`. */
export async function runSuite(
  services: Services,
  site: TestSite,
  command: TestCommand,
  signal: AbortSignal,
  paths: readonly ProjectPath[] = [],
): Promise<TestRun> {
  return (await attemptSuite(services, site, command, signal, paths)).run;
}

export async function attemptSuite(
  services: Services,
  site: TestSite,
  command: TestCommand,
  signal: AbortSignal,
  paths: readonly ProjectPath[] = [],
): Promise<Attempt> {
  const files = await collectTestFiles(site.workspace, command, site.overrides);
  const wanted = paths.length === 0 ? files : (files?.filter((file) => isAtOrBelow(file, paths)) ?? null);
  return attemptTests(services, site, command, wanted, signal);
}

export function isAtOrBelow(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => file === path || file.startsWith(`${path}/`));
}

/** Project files that the run changed, without files that git ignores, files that were hidden from the run, and files that the runner maintains. */
async function touchedFiles(
  { workspace, overrides = [] }: TestSite,
  changes: ChangeSet,
  runner: Runner,
): Promise<readonly string[]> {
  const gone = new Set(overrides.flatMap(({ path, entry }) => (entry.kind === 'absent' ? [path] : [])));
  const touched: string[] = [];
  for (const { path, before } of changes) {
    if (before.kind === 'absent' || gone.has(path) || runner.maintains?.(path) === true) continue;
    if (!(await workspace.isIgnored(path as ProjectPath))) touched.push(path);
  }
  return touched;
}

function emptyRun(): TestRun {
  return {
    outcome: 'passed',
    cases: [],
    files: [],
    requested: [],
    exit: { kind: 'exited', code: 0 },
    duration_ms: 0,
    output: '',
  };
}
