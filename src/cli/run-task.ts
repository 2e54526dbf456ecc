import type { HeadlessArguments, RunArguments } from './run-arguments.ts';
import type { ExitCode } from '../contracts/exit-codes.ts';
import type { RunLimits } from '../contracts/session/session-protocol.ts';
import { escapeTerminal } from '../lib/text/escape-terminal.ts';
import { parseDuration } from '../lib/text/duration.ts';
import type { CliServices, GlobalInput } from './command-line/cli-command.ts';
import { usage } from './usage-error.ts';

/** A longer delay would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface GivenRun extends Omit<RunArguments, 'task' | 'limits' | 'resume'>, GlobalInput {
  readonly task: string | undefined;
  readonly continue: boolean;
  readonly resume: string | undefined;
  readonly fork: boolean;
  readonly maxTurns: number | undefined;
  readonly maxTokens: number | undefined;
  readonly maxCost: number | undefined;
  readonly maxDuration: string | undefined;
}

/** Throws FluffyError `usage` for options that exclude each other, and for invalid limits. */
export function readRun(given: GivenRun): RunArguments {
  if (given.continue && given.resume !== undefined) throw usage('--continue and --resume exclude each other');
  if (given.resume === '' && given.print) throw usage('without a terminal, --resume needs the id of a session');
  if (given.resume === '' && given.fork) throw usage('--fork needs to know the session: --resume ID --fork');
  const session = given.resume ?? (given.continue ? 'latest' : undefined);
  if (session === undefined && given.fork) throw usage('--fork goes with --continue or --resume');
  const { print, outputFormat, inputFormat, mode, model, baseUrl, approve, project, allowRoot, verbose, screenReader } =
    given;
  const { worktree, effort } = given;
  return {
    task: given.task ?? '',
    print,
    outputFormat,
    inputFormat,
    mode,
    model,
    effort,
    baseUrl,
    approve,
    limits: limitsOf(given),
    resume: session === undefined ? null : { session: session === '' ? null : session, fork: given.fork },
    project,
    worktree,
    allowRoot,
    verbose,
    screenReader,
  };
}

/** A run that resumes a session, with every other option at its default. */
export function resumeArguments(
  session: string | undefined,
  { project, allowRoot }: Pick<GlobalInput, 'project' | 'allowRoot'>,
): RunArguments {
  return {
    task: '',
    print: false,
    outputFormat: 'text',
    inputFormat: 'text',
    mode: undefined,
    model: undefined,
    baseUrl: undefined,
    approve: 'auto',
    limits: {},
    resume: { session: session ?? 'latest', fork: false },
    project,
    allowRoot,
    verbose: false,
    screenReader: false,
  };
}

/** In a terminal the session is interactive; with `-p`, or if input or output is no terminal, it is headless. */
export async function runTask(given: RunArguments, services: CliServices): Promise<ExitCode> {
  const placed = given.worktree === undefined ? given : await inWorktree(given, given.worktree, services);
  const args = placed.resume === null ? placed : await withWholeId(placed, services);
  const { env, stdin, signals, ...rest } = services;
  if (!args.print && stdin.isTTY && process.stdout.isTTY) {
    const { runInteractive } = await import('./interactive/run-interactive.ts');
    return runInteractive(args, env);
  }
  const { runHeadless } = await import('./headless/run-headless.ts');
  return runHeadless({
    ...rest,
    args: headlessArguments(args),
    env,
    stdin,
    signals: signals(),
    nowMs: Date.now,
    after,
  });
}

async function withWholeId(args: RunArguments, services: CliServices): Promise<RunArguments> {
  const { resumedWhole } = await import('./session/resumed-whole.ts');
  return { ...args, resume: await resumedWhole(args, services) };
}

/** The same run in the worktree. */
async function inWorktree(args: RunArguments, name: string, { env, output }: CliServices): Promise<RunArguments> {
  const { openWorktree } = await import('./project/open-worktree.ts');
  const { directory, root, made } = await openWorktree(args.project, name, args.allowRoot, env);
  output.stderr(`${made ? 'Made' : 'Working in'} the worktree ${escapeTerminal(root)}, branch ${name}\n`);
  return { ...args, project: directory };
}

/** Throws FluffyError `usage` if a session would have to be chosen. */
export function headlessArguments({ resume, ...args }: RunArguments): HeadlessArguments {
  if (resume === null) return { ...args, resume };
  const { session, fork } = resume;
  if (session === null) throw usage('without a terminal, --resume needs the id of a session');
  return { ...args, resume: { session, fork } };
}

/** Calls back once after a delay, unless the returned function was called before. */
export function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

function limitsOf(given: Pick<GivenRun, 'maxTurns' | 'maxTokens' | 'maxCost' | 'maxDuration'>): RunLimits {
  const positive = (name: string, value: number | undefined, whole: boolean): number | undefined => {
    if (value === undefined) return undefined;
    if (!(value > 0) || !Number.isFinite(value) || (whole && !Number.isInteger(value)))
      throw usage(`${name} must be a positive ${whole ? 'whole ' : ''}number`);
    return value;
  };
  const turns = positive('--max-turns', given.maxTurns, true);
  const tokens = positive('--max-tokens', given.maxTokens, true);
  const cost = positive('--max-cost', given.maxCost, false);
  const duration = given.maxDuration === undefined ? undefined : parseDuration(given.maxDuration);
  if (duration?.kind === 'invalid') throw usage(`--max-duration: ${duration.problem}`);
  if (duration?.ms === 0) throw usage('--max-duration must be longer than 0');
  return {
    ...(turns === undefined ? {} : { max_turns: turns }),
    ...(tokens === undefined ? {} : { max_tokens: tokens }),
    ...(cost === undefined ? {} : { max_cost_usd: cost }),
    ...(duration === undefined ? {} : { max_duration_ms: duration.ms }),
  };
}
