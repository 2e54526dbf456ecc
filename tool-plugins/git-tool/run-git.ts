import { ToolFailure } from '../sdk/index.ts';
import type { RunOptions, RunResult, ToolContext } from '../sdk/index.ts';
import { pipeThatGitReads } from './rule-pipes.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
/** After this long it is looked whether git waits for a pipe. */
const SLOW_AFTER_MS = 2_000;
const DEFAULT_MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Settings that let a repository start programs, reach out, or answer for the user. They win over the repository's own. */
const HARDENED: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'core.alternateRefsCommand': '',
  'core.attributesFile': '/dev/null',
  'core.quotePath': 'false',
  'core.safecrlf': 'false',
  'core.untrackedCache': 'false',
  'commit.gpgSign': 'false',
  'credential.helper': '',
  'diff.external': '',
  'gc.auto': '0',
  'gpg.program': 'false',
  'i18n.commitEncoding': 'UTF-8',
  'i18n.logOutputEncoding': 'UTF-8',
  'log.showSignature': 'false',
  'maintenance.auto': 'false',
  'protocol.allow': 'never',
  'safe.directory': '*',
  'submodule.recurse': 'false',
  // An overlay keeps sizes and times of files, not always their inode numbers: without these every file would be read again.
  'core.checkStat': 'minimal',
  'core.trustctime': 'false',
};

export interface GitOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly maxOutputBytes?: number;
}

/** git in the workspace of one call. */
export interface Git {
  /** Throws ToolFailure `sandbox_failed` when git cannot do it, with what git says. */
  run(args: readonly string[], options?: GitOptions): Promise<RunResult>;
}

/**
 * Opens git in the workspace: no configuration but the repository's, of that nothing that runs a program, no locks taken for
 * comfort, paths never read as patterns. `usersAutocrlf`: the user has `core.autocrlf`, which counts where the repository says nothing of it.
 */
export async function openGit(context: ToolContext, usersAutocrlf = false): Promise<Git> {
  const base = environment(context, HARDENED);
  const names = await execute(context, ['config', '--list', '--name-only', '-z'], { env: base });
  const own = names.stdout.split('\0');
  const autocrlf: Record<string, string> =
    usersAutocrlf && !own.includes('core.autocrlf') ? { 'core.autocrlf': 'true' } : {};
  const env = environment(context, { ...HARDENED, ...withoutFilters(own), ...autocrlf });
  return {
    run: (args, options = {}) => execute(context, args, { ...options, env: { ...env, ...options.env } }),
  };
}

/** Clean, smudge and process filters are programs too: each that the configuration names is emptied. */
function withoutFilters(names: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const name of names) {
    const driver = /^(filter\..+)\.[a-z]+$/.exec(name)?.[1];
    if (driver === undefined) continue;
    for (const command of ['clean', 'smudge', 'process']) settings[`${driver}.${command}`] = '';
    settings[`${driver}.required`] = 'false';
  }
  return settings;
}

function environment(context: ToolContext, settings: Readonly<Record<string, string>>): Record<string, string> {
  const pairs = Object.entries(settings);
  return {
    PATH: context.env['PATH'] ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_DIR: `${context.workspace}/.git`,
    GIT_WORK_TREE: context.workspace,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
  };
}

async function execute(
  context: ToolContext,
  args: readonly string[],
  { maxOutputBytes, ...options }: RunOptions,
): Promise<RunResult> {
  const waiting = watchForPipe(context);
  const result = await context
    .run(['git', ...args], {
      cwd: context.workspace,
      timeoutMs: DEFAULT_TIMEOUT_MS,
      maxOutputBytes: maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES,
      signal: waiting.signal,
      ...options,
    })
    .finally(waiting.stop);
  const pipe = waiting.found();
  if (pipe !== null)
    throw new ToolFailure('sandbox_failed', `git waits for ever: ${JSON.stringify(pipe)} is a named pipe, not a file`);
  const { exit } = result;
  if (exit.kind === 'exited' && exit.code === 0) return result;
  if (exit.kind === 'timed-out')
    throw new ToolFailure('timeout', `git ${args[0] ?? ''} took more than ${exit.afterMs} ms.`);
  if (exit.kind === 'cancelled') throw new ToolFailure('cancelled', 'git was cancelled.');
  const why = exit.kind === 'not-started' ? exit.reason : result.stderr.trim().slice(0, 2000);
  throw new ToolFailure('sandbox_failed', `git ${args[0] ?? ''} failed: ${why}`);
}

interface PipeWatch {
  /** Ends git when a pipe was found, or when the caller no longer wants the answer. */
  readonly signal: AbortSignal;
  readonly found: () => string | null;
  readonly stop: () => void;
}

/** A named pipe in the place of `.gitignore` makes git wait until its deadline, and git does not say for what. */
function watchForPipe({ workspace, signal }: ToolContext): PipeWatch {
  const ended = new AbortController();
  const pipe = new AbortController();
  let found: string | null = null;
  const timer = setTimeout(() => {
    void pipeThatGitReads(workspace, ended.signal).then((path) => {
      if (path === null || ended.signal.aborted) return;
      found = path;
      pipe.abort();
    });
  }, SLOW_AFTER_MS);
  return {
    signal: AbortSignal.any([signal, pipe.signal]),
    found: () => found,
    stop: () => {
      clearTimeout(timer);
      ended.abort();
    },
  };
}
