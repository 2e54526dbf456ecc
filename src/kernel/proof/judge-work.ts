import type { Proof } from '../../contracts/review/proof.ts';
import type { Baseline, Red } from '../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import type { ExecutedLines } from '../runners/executed-lines.ts';
import { whyUnchecked } from '../runners/command-parts.ts';
import type { SessionContext } from '../services.ts';
import type { GreenOutcome } from './green.ts';
import { judgeStaged } from './green-run.ts';
import { stagedWork } from './in-source/staged-work.ts';
import { whyFlaky } from './flaky-regression.ts';
import { judgeKept, keepsBehaviour } from './kept/judge-kept.ts';
import { proveKept } from './kept/prove-kept.ts';
import { prove, reasonsOf } from './observations/prove.ts';
import type { Proven } from './observations/prove.ts';
import { redStillHolds } from './red-still-holds.ts';
import { whyShadowed } from './shadowed-modules.ts';

type NotGreen = Extract<GreenOutcome, { kind: 'not-green' }>;

/** `proof` is null if the session needs no proof: explore mode, or an exemption. */
export type Judged =
  { readonly kind: 'green'; readonly findings: readonly string[]; readonly proof: Proof | null } | NotGreen;

export interface SuiteRun {
  readonly command: TestCommand;
  /** A run of the whole suite, with the staged changes. */
  readonly run: TestRun;
  /** Lines of the changed sources that the run executed; null if lines were not counted. */
  readonly executed: ExecutedLines | null;
  readonly baseline: Baseline;
}

/** Judges a run of the whole suite, then makes the observations that the kind of the change requires. */
export async function judgeWork(context: SessionContext, suite: SuiteRun): Promise<Judged> {
  const judged = await judge(context, suite);
  const isRegression = judged.kind === 'not-green' && judged.code === 'regression';
  return (isRegression ? await whyFlaky(context, suite) : null) ?? judged;
}

async function judge(context: SessionContext, suite: SuiteRun): Promise<Judged> {
  const { session } = context;
  const shadowed = await whyShadowed(context);
  if (shadowed !== null) return { kind: 'not-green', code: 'shadowed_module', why: shadowed };
  if (keepsBehaviour(session)) {
    const outcome = await judgeKept(context, suite.run, suite.baseline);
    return outcome.kind === 'not-green' ? outcome : withProof(outcome.findings, await proveKept(context, suite));
  }
  const { red, exemption } = session.snapshot;
  if (session.mode !== 'strict' || exemption !== null) return judgeUnproved(context, suite);
  if (red === null) throw new Error('code is written without red');
  return judgeRedWork(context, suite, red);
}

async function judgeUnproved(context: SessionContext, { command, run, baseline }: SuiteRun): Promise<Judged> {
  const outcome = judgeStaged(context.services, await stagedWork(context), { run, baseline, red: null });
  if (outcome.kind === 'not-green') return outcome;
  const unchecked = whyUnchecked(command);
  return {
    kind: 'green',
    findings: [...outcome.findings, ...(unchecked === undefined ? [] : [unchecked])],
    proof: null,
  };
}

async function judgeRedWork(context: SessionContext, suite: SuiteRun, red: Red): Promise<Judged> {
  const { command, run, executed, baseline } = suite;
  const { services, signal } = context;
  const outcome = judgeStaged(services, await stagedWork(context), { run, baseline, red });
  if (outcome.kind === 'not-green') return outcome;
  const again = await redStillHolds(services, context, command, { red, baseline }, signal);
  if (again.kind === 'refused') return { kind: 'not-green', code: 'sensitive_changed', why: again.why };
  const rerun = again.kind === 'rerun' ? [again.finding] : [];
  const proven = await prove(context, { command, red, baseline, suite: run, executed });
  return withProof([...outcome.findings, ...rerun], proven);
}

function withProof(findings: readonly string[], { refusal, ...proof }: Proven): Judged {
  if (refusal !== null) return { kind: 'not-green', ...refusal };
  return { kind: 'green', findings: [...findings, ...reasonsOf(proof)], proof };
}
