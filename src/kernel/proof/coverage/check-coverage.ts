import type { CoverageBaseline, KeptCoverage } from '../../../contracts/review/coverage.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { partsOf } from '../../runners/command-parts.ts';
import type { SessionContext } from '../../services.ts';
import { baselineText, parseBaseline } from './baseline-file.ts';
import { comparedWords, pointsWords, shareWords } from './coverage-words.ts';
import { debtDecision, setsBaseline } from './debt-decision.ts';
import { measureCoverage } from './measure-coverage.ts';
import type { MeasuredCoverage } from './measure-coverage.ts';

const MAX_BASELINE_BYTES = 64 * 1024;

type Measured = Extract<MeasuredCoverage, { kind: 'measured' }>;
type Subject = Pick<KeptCoverage, 'file' | 'staging_digest' | 'head' | 'mode'>;

/**
 * Measures the coverage of the tree to be committed, if the project has a baseline on HEAD, and keeps the result with
 * the session. Returns why explore mode makes no commit of it, or null. Work that is exempt from tests is not measured.
 */
export async function checkCoverage(context: SessionContext, head: string): Promise<string | null> {
  const { services, session, workspace, signal } = context;
  const { exemption, options, coverage: known } = session.snapshot;
  const { test_command: command } = options;
  const file = services.policy().techDebt.baselineFile;
  const text = await services.commits.textOnHead(file as ProjectPath);
  if (text === null || exemption !== null || command === null) {
    if (known !== null) session.update({ coverage: null });
    return null;
  }
  const subject = { file, staging_digest: await workspace.stagingDigest(), head, mode: session.mode };
  const coverage = isOf(known, subject) ? known : await measureSubject(context, command, subject, text);
  session.update({ coverage });
  if (coverage !== known && !signal.aborted) notify(context, coverage, known);
  return coverage.kind === 'measured' && coverage.locked !== null ? `${coverage.locked} ${LOCKED_ADVICE}` : null;
}

/** Whether a kept result is still valid. A failed measurement is not: it may succeed the next time. */
function isOf(known: KeptCoverage | null, subject: Subject): known is KeptCoverage {
  if (known?.kind !== 'measured') return false;
  return (['file', 'staging_digest', 'head', 'mode'] as const).every((key) => known[key] === subject[key]);
}

async function measureSubject(
  context: SessionContext,
  command: TestCommand,
  subject: Subject,
  text: string,
): Promise<KeptCoverage> {
  const { services, session, workspace, signal } = context;
  const read = parseBaseline(text);
  if (read.kind === 'invalid') return impossible(subject, `${subject.file} cannot be read: ${read.why}`);
  const found = await services.commits.committable(session, workspace, signal);
  if (found.kind === 'refused') return impossible(subject, found.reason);
  const runner = runnerOf(command);
  const languages = read.baseline.runner === runner ? read.baseline.languages : [];
  const measured = await measureCoverage(context, { command, overrides: found.view.overrides, languages });
  if (measured.kind === 'impossible') return impossible(subject, measured.why);
  return judge(context, subject, { text, baseline: read.baseline, runner, measured });
}

interface Comparison {
  /** The baseline file on HEAD. */
  readonly text: string;
  readonly baseline: CoverageBaseline;
  readonly runner: string;
  readonly measured: Measured;
}

async function judge(
  context: SessionContext,
  subject: Subject,
  { text, baseline, runner, measured }: Comparison,
): Promise<KeptCoverage> {
  const settings = context.services.policy().techDebt;
  const { lines, languages } = measured;
  // Runners count different lines, so results of another runner are not compared.
  const compared = baseline.runner === runner ? baseline.lines : null;
  const decision = debtDecision(compared, lines, settings);
  const kept = { kind: 'measured' as const, ...subject, lines, baseline: compared, next: null, warning: null, locked: null };
  if (subject.mode === 'strict') {
    const next = baselineText({ version: 1, lines, runner, languages: [...languages] });
    const isDue = next !== text && setsBaseline(compared, lines, settings);
    return { ...kept, next: isDue && (await isAsOnHead(context, subject, text)) ? next : null };
  }
  if (decision.kind !== 'warning' && decision.kind !== 'locked') return kept;
  const says = `The suite executes ${shareWords(lines)} of the source, ${comparedWords(decision.dropPoints)}`;
  if (decision.kind === 'warning')
    return { ...kept, warning: `${says}. Policy warns beyond ${pointsWords(settings.warningThreshold)} (tech_debt).` };
  const locked = `${says}, and policy locks explore mode beyond ${pointsWords(settings.lockoutThreshold)} (tech_debt).`;
  return { ...kept, locked };
}

/** For the model. The advice for the user is in the notice. */
const LOCKED_ADVICE =
  'Write tests that execute more of the source, then call test.run again. Or the user changes to strict mode (/strict), and its commits restore coverage; /budget shows the figures.';

/** If the user has edited the file without committing it, the edit is kept. */
async function isAsOnHead({ workspace }: SessionContext, { file }: Subject, text: string): Promise<boolean> {
  const read = await workspace.read(file as ProjectPath, MAX_BASELINE_BYTES);
  return read.kind === 'file' && read.bytes.equals(Buffer.from(text));
}

/** In explore mode this is a warning: a commit without a measurement is never locked. */
function impossible(subject: Subject, why: string): KeptCoverage {
  const warning = subject.mode === 'strict' ? null : `Coverage was not measured: ${why.replace(/\.$/, '')}.`;
  return { kind: 'impossible', ...subject, why, warning };
}

/** Names of all runners of the command. */
function runnerOf(command: TestCommand): string {
  return [...new Set(partsOf(command).map(({ runner }) => runner))].sort().join(', ');
}

function notify({ session }: SessionContext, coverage: KeptCoverage, before: KeptCoverage | null): void {
  if (coverage.kind === 'impossible') {
    if (before?.kind === 'impossible' && before.why === coverage.why) return;
    session.emit({
      type: 'notice',
      level: 'info',
      what: 'Coverage was not measured, and is not compared with the baseline',
      why: coverage.why,
      fix: `Nothing, or remove ${coverage.file} if this runner cannot count lines`,
      code: 'coverage_unmeasured',
    });
    return;
  }
  const { warning, locked } = coverage;
  if (warning !== null)
    session.emit({
      type: 'notice',
      level: 'warn',
      what: 'Coverage has dropped',
      why: warning,
      fix: '/budget shows how much is left; in strict mode, ask for tests of code that none executes',
      code: 'coverage_dropped',
    });
  if (locked !== null)
    session.emit({
      type: 'notice',
      level: 'warn',
      what: 'Explore mode is locked: coverage has dropped too far',
      why: locked,
      fix: 'Let the model write tests, or change to /strict; /budget shows the figures',
      code: 'coverage_locked',
    });
}
