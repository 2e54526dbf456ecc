import yargs from 'yargs';
import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';
import { SESSION_MODES } from '../contracts/workflow-states.ts';
import type { SessionMode } from '../contracts/workflow-states.ts';
import type { RunLimits } from '../contracts/session-protocol.ts';
import { parseDuration } from '../lib/duration.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface RunArguments {
  readonly task: string;
  readonly print: boolean;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  readonly mode: SessionMode | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly approve: 'never' | 'auto' | 'ask';
  readonly limits: RunLimits;
  readonly resume: { readonly session: string; readonly fork: boolean } | null;
  readonly project: string | undefined;
  readonly allowRoot: boolean;
  readonly verbose: boolean;
}

export interface ProjectArguments {
  readonly project: string | undefined;
  readonly allowRoot: boolean;
  readonly json: boolean;
}

export type Command =
  | { readonly kind: 'run'; readonly run: RunArguments }
  | { readonly kind: 'demo'; readonly yes: boolean; readonly base: string | undefined; readonly keep: boolean }
  | {
      readonly kind: 'doctor';
      readonly json: boolean;
      readonly fix: boolean;
      readonly yes: boolean;
      readonly base: string | undefined;
      readonly project: string | undefined;
    }
  | ({
      readonly kind: 'review';
      readonly session: string | undefined;
      readonly approve: boolean;
      readonly reject: string | undefined;
    } & ProjectArguments)
  | ({
      readonly kind: 'session';
      readonly action: 'list' | 'show' | 'undo';
      readonly session: string | undefined;
    } & ProjectArguments)
  | ({
      readonly kind: 'audit';
      readonly action: 'log' | 'verify' | 'keys';
      readonly range: string | undefined;
      /** Files and directories of trusted keys; empty for the user's own. */
      readonly keys: readonly string[];
      readonly require: 'attested' | 'verified' | undefined;
      readonly limit: number | undefined;
    } & ProjectArguments)
  | ({
      readonly kind: 'config';
      readonly action: 'init' | 'get' | 'set' | 'list' | 'set-key';
      readonly key: string | undefined;
      readonly value: string | undefined;
      readonly projectScope: boolean;
    } & ProjectArguments)
  | { readonly kind: 'policy'; readonly argv: readonly string[] }
  | {
      readonly kind: 'image';
      readonly action: 'list' | 'build' | 'prune';
      readonly json: boolean;
      readonly base: string | undefined;
    }
  | { readonly kind: 'shown' };

/**
 * Reads the command line. `shown` means that help was printed already. Throws FluffyError `usage` (exit 2) for what it cannot read;
 * a value that starts with a dash is a value only after `=` or `--`.
 */
export async function parseArguments(argv: readonly string[], version: string): Promise<Command> {
  // `config policy` has words and options of its own; they are read where they are used.
  if (argv[0] === 'config' && argv[1] === 'policy') return { kind: 'policy', argv: argv.slice(2) };
  let command: Command = { kind: 'shown' };
  // What follows `--` is never read for options; yargs reads positionals a second time and would.
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const verbatim = argv.slice(end + 1);
  const choose = (chosen: Command) => {
    command = withVerbatim(chosen, verbatim);
  };
  const before = argv.slice(0, end);
  // Of an option that is given twice the last one counts, except where each is one more key.
  const keys = before.includes('audit') ? takeRepeated(before, '--keys') : { values: [], rest: before };
  const parser = yargs(keys.rest)
    .scriptName('fluffy')
    .version(version)
    .usage(
      '$0 [task..]\n\nA coding agent that writes tests first, works in containers, and commits only what was proven.',
    )
    .option('project', { type: 'string', describe: 'The project to work on (default: where you are)', global: true })
    .option('allow-root', {
      type: 'boolean',
      default: false,
      describe: 'Work on a project that belongs to root',
      global: true,
    })
    .option('json', { type: 'boolean', default: false, describe: 'Answer in JSON', global: true })
    .command('$0', 'Work on a task, or start interactively', addRunOptions, (args) =>
      choose({ kind: 'run', run: toRun({ ...args, task: args._.map(String) }) }),
    )
    .command(
      'demo',
      'Set up what is missing and show a whole task, with no model needed',
      (y) =>
        y
          .option('yes', {
            type: 'boolean',
            default: false,
            alias: 'y',
            describe: 'Install and start what is missing without asking',
          })
          .option('base', { choices: ['host', 'registry'] as const, describe: 'What sandbox images are built from' })
          .option('keep', { type: 'boolean', default: false, describe: 'Keep the demo project' }),
      (args) => choose({ kind: 'demo', yes: args.yes, base: args.base, keep: args.keep }),
    )
    .command(
      'doctor',
      'Check engine, images and protections; name every path in use',
      (y) =>
        y
          .option('fix', { type: 'boolean', default: false, describe: 'Install, start and build what is missing' })
          .option('yes', { type: 'boolean', default: false, alias: 'y' })
          .option('base', { choices: ['host', 'registry'] as const }),
      (args) =>
        choose({
          kind: 'doctor',
          json: args.json,
          fix: args.fix,
          yes: args.yes,
          base: args.base,
          project: args.project,
        }),
    )
    .command(
      'review [session]',
      'Show or decide a waiting review',
      (y) =>
        y
          .positional('session', { type: 'string' })
          .option('approve', { type: 'boolean', default: false })
          .option('reject', { type: 'string', requiresArg: true, describe: 'Reject, with the reason' }),
      (args) => {
        if (args.approve && args.reject !== undefined) throw usage('--approve and --reject exclude each other');
        choose({ kind: 'review', session: args.session, approve: args.approve, reject: args.reject, ...common(args) });
      },
    )
    .command(
      'session <action> [session]',
      'List, show or resume sessions, or take the last commit of one back',
      (y) =>
        y
          .positional('action', { choices: ['list', 'show', 'resume', 'undo'] as const, demandOption: true })
          .positional('session', { type: 'string' }),
      (args) => {
        if (args.action === 'resume')
          choose({
            kind: 'run',
            run: { ...toRun({}), resume: { session: args.session ?? 'latest', fork: false }, ...common(args) },
          });
        else choose({ kind: 'session', action: args.action, session: args.session, ...common(args) });
      },
    )
    .command(
      'audit <action>',
      'Read or verify the audit log, verify commits by their evidence, or print the public keys for that',
      (y) =>
        y
          .positional('action', { choices: ['log', 'verify', 'keys'] as const, demandOption: true })
          .option('range', {
            type: 'string',
            requiresArg: true,
            describe: 'verify: commits A..B by their evidence, instead of the log',
          })
          .option('keys', {
            type: 'string',
            requiresArg: true,
            describe: 'verify --range: a file of keys to trust, or a directory of *.keys; may be repeated',
          })
          .option('require', {
            choices: ['attested', 'verified'] as const,
            describe: 'verify --range: refuse commits without evidence, or also those that no test failed first for',
          })
          .option('limit', { type: 'number', requiresArg: true, describe: 'log: newest entries only' }),
      (args) => {
        const { action, range, require, limit } = args;
        const forRange = require !== undefined || keys.values.length > 0;
        if ((range !== undefined || forRange) && action !== 'verify')
          throw usage('--range, --keys and --require belong to audit verify');
        if (forRange && range === undefined) throw usage('--keys and --require belong to --range');
        if (limit !== undefined && !(action === 'log' && Number.isSafeInteger(limit) && limit > 0))
          throw usage('--limit takes a whole number above 0, and belongs to audit log');
        choose({ kind: 'audit', action, range, keys: keys.values, require, limit, ...common(args) });
      },
    )
    .command(
      'config <action> [key] [value]',
      'Read and change configuration; config policy has its own help',
      (y) =>
        y
          .positional('action', { choices: ['init', 'get', 'set', 'list', 'set-key'] as const, demandOption: true })
          .positional('key', { type: 'string' })
          .positional('value', { type: 'string' })
          .option('project-scope', {
            type: 'boolean',
            default: false,
            describe: "Set it in the project's .fluffy/config.yaml",
          }),
      (args) =>
        choose({
          kind: 'config',
          action: args.action,
          key: args.key,
          value: args.value,
          projectScope: args['project-scope'],
          ...common(args),
        }),
    )
    .command(
      'image <action>',
      'List or build the sandbox images, or remove those that are no longer used',
      (y) =>
        y
          .positional('action', { choices: ['list', 'build', 'prune'] as const, demandOption: true })
          .option('base', { choices: ['host', 'registry'] as const }),
      (args) => choose({ kind: 'image', action: args.action, json: args.json, base: args.base }),
    )
    .strictOptions()
    .exitProcess(false)
    .parserConfiguration({
      'boolean-negation': false,
      'duplicate-arguments-array': false,
      'parse-positional-numbers': false,
    })
    .fail((message: string | null, error: Error | undefined) => {
      throw error instanceof FluffyError ? error : usage(message ?? error?.message ?? 'it cannot be read');
    });
  await parser.parseAsync();
  return command;
}

/** Every value of an option, given as `--name value` or `--name=value`, and the words without it. Throws FluffyError `usage` for one without a value. */
function takeRepeated(argv: readonly string[], name: string): { values: string[]; rest: string[] } {
  const values: string[] = [];
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word !== name && !word.startsWith(`${name}=`)) {
      rest.push(word);
      continue;
    }
    const value = word === name ? argv[(at += 1)] : word.slice(name.length + 1);
    if (value === undefined || value === '' || (word === name && value.startsWith('-')))
      throw usage(`${name} needs a value`);
    values.push(value);
  }
  return { values, rest };
}

/** Words after `--` complete a task, or the key and value of `config`. Throws FluffyError `usage` where there is no place for them. */
function withVerbatim(command: Command, words: readonly string[]): Command {
  if (words.length === 0) return command;
  if (command.kind === 'run') {
    const task = [command.run.task, ...words].filter((word) => word !== '').join(' ');
    return { kind: 'run', run: { ...command.run, task } };
  }
  if (command.kind === 'config') {
    const given = [command.key, command.value].filter((word) => word !== undefined);
    const [key, value, ...rest] = [...given, ...words];
    if (rest.length === 0) return { ...command, key, value };
  }
  throw usage(`there is no place for ${JSON.stringify(words[0])} after --`);
}

type Yargs = ReturnType<typeof yargs>;

function addRunOptions(y: Yargs) {
  return y
    .option('print', {
      alias: 'p',
      type: 'boolean',
      default: false,
      describe: 'Run without a terminal and print the answer',
    })
    .option('output-format', { choices: ['text', 'json', 'stream-json'] as const, default: 'text' as const })
    .option('input-format', { choices: ['text', 'stream-json'] as const, default: 'text' as const })
    .option('mode', { choices: SESSION_MODES })
    .option('model', { type: 'string', requiresArg: true, describe: 'provider/model' })
    .option('base-url', { type: 'string', requiresArg: true })
    .option('approve', { choices: ['never', 'auto', 'ask'] as const, default: 'auto' as const })
    .option('max-turns', { type: 'number', requiresArg: true })
    .option('max-tokens', { type: 'number', requiresArg: true })
    .option('max-cost', { type: 'number', requiresArg: true, describe: 'USD' })
    .option('max-duration', { type: 'string', requiresArg: true, describe: 'e.g. 10m' })
    .option('continue', { alias: 'c', type: 'boolean', default: false, describe: 'Take up the newest session' })
    .option('resume', { alias: 'r', type: 'string', requiresArg: true, describe: 'Take up a session' })
    .option('fork', { type: 'boolean', default: false, describe: 'With --continue or --resume: in a new session' })
    .option('verbose', { type: 'boolean', default: false });
}

interface RawRun {
  readonly task?: readonly string[];
  readonly print?: boolean;
  readonly outputFormat?: OutputFormat;
  readonly inputFormat?: 'text' | 'stream-json';
  readonly mode?: SessionMode | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly approve?: 'never' | 'auto' | 'ask';
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly maxDuration?: string | undefined;
  readonly continue?: boolean;
  readonly resume?: string | undefined;
  readonly fork?: boolean;
  readonly project?: string | undefined;
  readonly allowRoot?: boolean;
  readonly verbose?: boolean;
}

function toRun(args: RawRun): RunArguments {
  if (args.continue === true && args.resume !== undefined) throw usage('--continue and --resume exclude each other');
  const session = args.resume ?? (args.continue === true ? 'latest' : undefined);
  if (session === undefined && args.fork === true) throw usage('--fork goes with --continue or --resume');
  return {
    task: (args.task ?? []).join(' '),
    print: args.print ?? false,
    outputFormat: args.outputFormat ?? 'text',
    inputFormat: args.inputFormat ?? 'text',
    mode: args.mode,
    model: args.model,
    baseUrl: args.baseUrl,
    approve: args.approve ?? 'auto',
    limits: limitsOf(args),
    resume: session === undefined ? null : { session, fork: args.fork ?? false },
    project: args.project,
    allowRoot: args.allowRoot ?? false,
    verbose: args.verbose ?? false,
  };
}

function limitsOf(args: RawRun): RunLimits {
  const positive = (name: string, value: number | undefined, whole: boolean): number | undefined => {
    if (value === undefined) return undefined;
    if (!(value > 0) || !Number.isFinite(value) || (whole && !Number.isInteger(value)))
      throw usage(`${name} must be a positive ${whole ? 'whole ' : ''}number`);
    return value;
  };
  const turns = positive('--max-turns', args.maxTurns, true);
  const tokens = positive('--max-tokens', args.maxTokens, true);
  const cost = positive('--max-cost', args.maxCost, false);
  const duration = args.maxDuration === undefined ? undefined : parseDuration(args.maxDuration);
  if (duration?.kind === 'invalid') throw usage(`--max-duration: ${duration.problem}`);
  if (duration?.ms === 0) throw usage('--max-duration must be longer than nothing');
  return {
    ...(turns === undefined ? {} : { max_turns: turns }),
    ...(tokens === undefined ? {} : { max_tokens: tokens }),
    ...(cost === undefined ? {} : { max_cost_usd: cost }),
    ...(duration === undefined ? {} : { max_duration_ms: duration.ms }),
  };
}

function common(args: {
  readonly project?: string | undefined;
  readonly allowRoot?: boolean;
  readonly 'allow-root'?: boolean;
  readonly json?: boolean;
}): ProjectArguments {
  return { project: args.project, allowRoot: args.allowRoot ?? args['allow-root'] ?? false, json: args.json ?? false };
}

export function usage(why: string): FluffyError {
  return new FluffyError({
    code: 'usage',
    what: 'The command line cannot be used',
    why,
    fix: 'See fluffy --help',
    exitCode: EXIT.usage,
  });
}
