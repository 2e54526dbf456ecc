import yargs from 'yargs';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import { usage } from '../usage-error.ts';
import { GLOBAL_OPTIONS } from './cli-command.ts';
import type { CliCommand, CliServices, OptionTable } from './cli-command.ts';
import { findCommand } from './find-command.ts';
import { groupHelp, helpOf } from './help-text.ts';
import { COMMANDS, DEFAULT_COMMAND } from './registry.ts';
import { splitWords } from './split-words.ts';

const DEFAULT_COLUMNS = 80;
const MAX_COLUMNS = 110;

export type CommandLine =
  /** Help or the version was requested. */
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly input: unknown;
      readonly readerMayLeave: boolean;
      readonly withoutHome: boolean;
      run(services: CliServices): Promise<ExitCode>;
    };

/**
 * Parses a command line by the registry. Throws FluffyError `usage` (exit 2) for an invalid one, and for a first word that looks like a command but
 * is none. A value that starts with a dash is a value only after `=` or `--`; after `--` nothing is an option.
 */
export async function readCommandLine(argv: readonly string[], version: string): Promise<CommandLine> {
  const all = [DEFAULT_COMMAND, ...COMMANDS];
  const { words, verbatim, beforeVerbatim } = splitWords(argv, [GLOBAL_OPTIONS, ...all.map(({ options }) => options)]);
  const texts = words.map(({ text }) => text);
  if (isHelpRequest(texts)) return readCommandLine([...texts.slice(1), '--help'], version);
  const found = findCommand(texts, COMMANDS);
  switch (found.kind) {
    case 'mistake':
      throw usage(found.why, found.fix);
    case 'group':
      if (beforeVerbatim.includes('--help')) return { kind: 'text', text: groupHelp(found.group, COMMANDS, columns()) };
      throw usage(found.why, found.fix);
    case 'task':
      return parse(DEFAULT_COMMAND, beforeVerbatim, verbatim, version);
    case 'command': {
      const named = new Set(words.slice(0, found.length).map(({ at }) => at));
      const rest = beforeVerbatim.filter((_, at) => !named.has(at));
      return parse(found.command, rest, verbatim, version);
    }
  }
}

/** `help`, alone or before the complete name of a command or group. With other words after it, it begins a task. */
function isHelpRequest([first, ...name]: readonly string[]): boolean {
  if (first !== 'help') return false;
  const wanted = name.join(' ');
  return name.length === 0 || COMMANDS.some((each) => each.name === wanted || each.name.startsWith(`${wanted} `));
}

async function parse(
  command: CliCommand,
  argv: readonly string[],
  verbatim: readonly string[],
  version: string,
): Promise<CommandLine> {
  const options: OptionTable = { ...command.options, ...GLOBAL_OPTIONS };
  const parser = yargs()
    .locale('en')
    .scriptName('fluffy')
    .usage('')
    .wrap(columns())
    .options(withoutNo(options))
    .version(version)
    .hide(command.name === '' ? '' : 'version')
    .exitProcess(false)
    .strictOptions()
    .parserConfiguration({
      'boolean-negation': false,
      'duplicate-arguments-array': true,
      'greedy-arrays': false,
      'parse-positional-numbers': false,
    })
    .fail((message: string | null, error: Error | undefined) => {
      throw error instanceof FluffyError ? error : unreadable(message ?? error?.message ?? '', options);
    });
  let shown = '';
  const parsed = await parser.parseAsync(
    [...argv],
    {},
    (error: Error | null | undefined, _: unknown, output: string) => {
      if (error instanceof Error) throw error;
      shown = output;
    },
  );
  if (parsed['help'] === true) return { kind: 'text', text: helpOf(command, shown, COMMANDS, columns()) };
  if (shown !== '') return { kind: 'text', text: `${shown.trimEnd()}\n` };
  const given = {
    ...noes(options),
    ...lastOfEach(parsed, options),
    ...place(command, [...parsed._.map(String), ...verbatim]),
  };
  const { input, run } = command.bind(given);
  const { name, readerMayLeave = false, withoutHome = false } = command;
  return { kind: 'command', name, input, readerMayLeave, withoutHome, run };
}

function columns(): number {
  return Math.min(process.stdout.columns || DEFAULT_COLUMNS, MAX_COLUMNS);
}

/** An option that is not given is false: that needs no words in the help. */
function withoutNo(options: OptionTable): OptionTable {
  const entries = Object.entries(options);
  return Object.fromEntries(
    entries.map(([name, option]) => [name, option.default === false ? { ...option, default: undefined } : option]),
  );
}

function noes(options: OptionTable): Record<string, unknown> {
  const names = Object.keys(options).filter((name) => options[name]?.default === false);
  return Object.fromEntries(
    names.map((name) => [name.replaceAll(/-(.)/g, (_, next: string) => next.toUpperCase()), false]),
  );
}

/** If an option is given twice, the last one counts, except for lists. */
function lastOfEach(parsed: Readonly<Record<string, unknown>>, options: OptionTable): Record<string, unknown> {
  const lists = new Set(Object.keys(options).filter((name) => options[name]?.array === true));
  const given = Object.entries(parsed).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) && !lists.has(name) ? (value.at(-1) as unknown) : value]),
  );
}

/** Assigns the words of a command line to the command's arguments. Throws FluffyError `usage` for too few or too many. */
function place(command: CliCommand, words: readonly string[]): Record<string, string | undefined> {
  const { arguments: specs, name, secretWords } = command;
  const placed: Record<string, string | undefined> = {};
  let at = 0;
  for (const spec of specs) {
    const taken = spec.rest === true ? words.slice(at) : words.slice(at, at + 1);
    at += taken.length;
    placed[spec.name] = taken.length === 0 ? undefined : taken.filter((word) => word !== '').join(' ');
    if (spec.required === true && (placed[spec.name] ?? '') === '')
      throw usage(`${name} needs ${spec.name === 'key' ? 'a' : 'the'} ${spec.name}`, `See fluffy ${name} --help`);
  }
  const extra = words[at];
  if (extra !== undefined) {
    const word = secretWords === true ? 'a further word' : JSON.stringify(extra);
    throw usage(`${name} has no place for ${word}`, `See fluffy ${name} --help`);
  }
  return placed;
}

function unreadable(message: string, options: OptionTable): FluffyError {
  const withoutValue = /^Not enough arguments following: (\S+)/.exec(message)?.[1];
  if (withoutValue !== undefined) return usage(`--${withoutValue} needs a value`);
  const unknown = /^Unknown arguments?: ([^\s,]+)/.exec(message)?.[1];
  const nearest = unknown === undefined ? null : nearestWord(unknown, Object.keys(options));
  return usage(`${message}${nearest === null ? '' : ` (the nearest is --${nearest})`}`);
}
