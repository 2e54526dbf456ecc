import type { Options } from 'yargs';
import { ownValue } from '../../lib/own-value.ts';
import { lastText } from '../../lib/text/first-last.ts';
import { GLOBAL_OPTIONS } from '../command-line/cli-command.ts';
import type { CliCommand } from '../command-line/cli-command.ts';

/** Values that are not part of the commands: they are read from files during completion. */
export type ValueKind = 'session' | 'model' | 'key' | 'provider' | 'shell' | 'value' | 'syscall' | 'state' | 'mode';

/** The possible completions of a word. Each is printed with `prefix` before it. */
export interface Expected {
  /** The beginning of the word; for `--option=value` the part after the equals sign. */
  readonly typed: string;
  readonly prefix: string;
  readonly words: readonly string[];
  /** `of` is the argument before it: for `value`, the configuration key. */
  readonly values: { readonly kind: ValueKind; readonly of: string } | null;
}

/** Arguments and options with values, by name. */
const KIND_OF: Readonly<Record<string, ValueKind>> = {
  session: 'session',
  resume: 'session',
  model: 'model',
  key: 'key',
  value: 'value',
  provider: 'provider',
  shell: 'shell',
  syscall: 'syscall',
  state: 'state',
  mode: 'mode',
};

type OptionsByName = Readonly<Record<string, Options>>;

/**
 * The possible completions of the last of `words`, which may be empty or begun. Pure. After an option with a value come its values; else commands,
 * options, and the values of a command's arguments.
 */
export function expectedAt(words: readonly string[], commands: readonly CliCommand[], fallback: CliCommand): Expected {
  const { before, typed, prefix } = split(words);
  const command = commandIn(before, commands);
  const options: OptionsByName = { ...(command ?? fallback).options, ...GLOBAL_OPTIONS };
  const expect = (found: readonly string[], values: Expected['values'] = null): Expected => {
    return { typed, prefix, words: found, values };
  };
  const last = lastText(before);
  const option = optionNamed(last, options);
  if (option !== null) {
    const { choices } = option.option;
    return choices === undefined ? expect([], valuesOf(option.name, '')) : expect(choices.map(String));
  }
  if (typed.startsWith('-')) return expect([...Object.keys(options), 'help'].map((name) => `--${name}`));
  if (command === null) return expect(nextWords(before, commands));
  const given = argumentsIn(before, options).slice(command.name.split(' ').length);
  return expect([], valuesOf(command.arguments[given.length]?.name ?? '', lastText(given)));
}

/** The words in `found` that begin with the typed text, as they are printed. */
export function fitting({ typed, prefix }: Expected, found: readonly string[]): readonly string[] {
  return [...new Set(found)].filter((word) => word.startsWith(typed)).map((word) => `${prefix}${word}`);
}

/** `--option=value` is one word in zsh and fish, and three in bash, which completes the part after the equals sign. */
function split(words: readonly string[]): { readonly before: readonly string[]; typed: string; prefix: string } {
  const typed = lastText(words);
  const before = words.slice(0, -1);
  const [, option = '', value = ''] = /^(--[a-z-]+)=(.*)$/s.exec(typed) ?? [];
  if (option !== '') return { before: [...before, option], typed: value, prefix: `${option}=` };
  if (typed === '=') return { before, typed: '', prefix: '' };
  return { before: before.at(-1) === '=' ? before.slice(0, -1) : before, typed, prefix: '' };
}

function commandIn(words: readonly string[], commands: readonly CliCommand[]): CliCommand | null {
  const named = commands.filter(({ name }) => name.split(' ').every((word, at) => words[at] === word));
  return named.toSorted((a, b) => b.name.length - a.name.length)[0] ?? null;
}

/** The words that continue a command's name; empty after the beginning of a task. */
function nextWords(before: readonly string[], commands: readonly CliCommand[]): readonly string[] {
  return commands.flatMap(({ name }) => {
    const parts = name.split(' ');
    const next = parts[before.length];
    return next !== undefined && before.every((word, at) => word === parts[at]) ? [next] : [];
  });
}

/** The words without options and their values. */
function argumentsIn(words: readonly string[], options: OptionsByName): readonly string[] {
  return words.filter((word, at) => !word.startsWith('-') && optionNamed(words[at - 1] ?? '', options) === null);
}

/** The option whose value is being typed, or null. */
function optionNamed(word: string, options: OptionsByName): { name: string; option: Options } | null {
  const name = /^--?([a-z-]+)$/.exec(word)?.[1];
  if (name === undefined) return null;
  const found = Object.entries(options).find(([each, { alias }]) => each === name || [alias].flat().includes(name));
  return found === undefined || found[1].type === 'boolean' ? null : { name: found[0], option: found[1] };
}

function valuesOf(name: string, of: string): Expected['values'] {
  const kind = ownValue(KIND_OF, name);
  return kind === undefined ? null : { kind, of };
}
