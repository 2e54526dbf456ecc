import type { Options } from 'yargs';
import { GLOBAL_OPTIONS } from '../command-line/cli-command.ts';
import type { CliCommand } from '../command-line/cli-command.ts';

/** What is known of the project when a word is completed. Read from files alone: no kernel is started for it. */
export interface CompletionValues {
  readonly sessions: readonly string[];
  readonly models: readonly string[];
}

/**
 * The words that can be where the last of `words` is, which may be empty or begun. Pure. An option that takes a value is followed by its values; else
 * commands, options, and the ids of sessions where a command takes one.
 */
export function completions(
  words: readonly string[],
  commands: readonly CliCommand[],
  fallback: CliCommand,
  values: CompletionValues,
): readonly string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = commandIn(before, commands);
  const options: Readonly<Record<string, Options>> = { ...(command ?? fallback).options, ...GLOBAL_OPTIONS };
  const asked = optionNamed(before.at(-1) ?? '', options);
  const fitting = (all: readonly string[]) => [...new Set(all)].filter((word) => word.startsWith(typed));
  if (asked !== null) return fitting(valuesOf(asked.name, asked.option, values));
  if (typed.startsWith('-')) return fitting([...Object.keys(options), 'help'].map((name) => `--${name}`));
  if (command === null) return fitting(nextWords(before, commands));
  const takesSession = command.arguments.some(({ name }) => name === 'session');
  return takesSession && before.filter((word) => !word.startsWith('-')).length === command.name.split(' ').length
    ? fitting(values.sessions)
    : [];
}

function commandIn(words: readonly string[], commands: readonly CliCommand[]): CliCommand | null {
  const named = commands.filter(({ name }) => name.split(' ').every((word, at) => words[at] === word));
  return named.toSorted((a, b) => b.name.length - a.name.length)[0] ?? null;
}

/** The words that go on with a command's name; none behind a task that has begun. */
function nextWords(before: readonly string[], commands: readonly CliCommand[]): readonly string[] {
  return commands.flatMap(({ name }) => {
    const parts = name.split(' ');
    const next = parts[before.length];
    return next !== undefined && before.every((word, at) => word === parts[at]) ? [next] : [];
  });
}

/** The option whose value is typed, if there is one. */
function optionNamed(
  word: string,
  options: Readonly<Record<string, Options>>,
): { name: string; option: Options } | null {
  const name = /^--?([a-z-]+)$/.exec(word)?.[1];
  if (name === undefined) return null;
  const found = Object.entries(options).find(([each, { alias }]) => each === name || [alias].flat().includes(name));
  return found === undefined || found[1].type === 'boolean' ? null : { name: found[0], option: found[1] };
}

function valuesOf(name: string, { choices }: Options, values: CompletionValues): readonly string[] {
  if (choices !== undefined) return choices.map(String);
  if (name === 'resume') return values.sessions;
  return name === 'model' ? values.models : [];
}
