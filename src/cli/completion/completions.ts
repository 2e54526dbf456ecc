import type { Options } from 'yargs';
import { ownValue } from '../../lib/own-value.ts';
import { GLOBAL_OPTIONS } from '../command-line/cli-command.ts';
import type { CliCommand } from '../command-line/cli-command.ts';

/** Values that are not part of the commands: they are read from files when they are completed. */
export type ValueKind = 'session' | 'model' | 'key' | 'provider' | 'shell' | 'value' | 'syscall' | 'state' | 'mode';

/** What can be where a word is. Each word is to be printed with `prefix` before it. */
export interface Expected {
  /** What the word begins with; for `--option=value` the part behind the equals sign. */
  readonly typed: string;
  readonly prefix: string;
  readonly words: readonly string[];
  /** `of` is the argument before it: for `value` the key of the configuration. */
  readonly values: { readonly kind: ValueKind; readonly of: string } | null;
}

/** Arguments and options with values, by their names. */
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
 * What can be where the last of `words` is, which may be empty or begun. Pure. An option that takes a value is followed by its values; else
 * commands, options, and the values of a command's arguments.
 */
export function expectedAt(words: readonly string[], commands: readonly CliCommand[], fallback: CliCommand): Expected {
  const { before, typed, prefix } = split(words);
  const command = commandIn(before, commands);
  const options: OptionsByName = { ...(command ?? fallback).options, ...GLOBAL_OPTIONS };
  const expect = (found: readonly string[], values: Expected['values'] = null): Expected => {
    return { typed, prefix, words: found, values };
  };
  const last = before.at(-1) ?? '';
  const option = optionNamed(last, options);
  if (option !== null) {
    const { choices } = option.option;
    return choices === undefined ? expect([], valuesOf(option.name, '')) : expect(choices.map(String));
  }
  if (typed.startsWith('-')) return expect([...Object.keys(options), 'help'].map((name) => `--${name}`));
  if (command === null) return expect(nextWords(before, commands));
  const given = argumentsIn(before, options).slice(command.name.split(' ').length);
  return expect([], valuesOf(command.arguments[given.length]?.name ?? '', given.at(-1) ?? ''));
}

/** Those of `found` that go on with what was typed, as they are printed. */
export function fitting({ typed, prefix }: Expected, found: readonly string[]): readonly string[] {
  return [...new Set(found)].filter((word) => word.startsWith(typed)).map((word) => `${prefix}${word}`);
}

/** `--option=value` is one word in zsh and fish, and three in bash, which completes what is behind the equals sign. */
function split(words: readonly string[]): { readonly before: readonly string[]; typed: string; prefix: string } {
  const typed = words.at(-1) ?? '';
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

/** The words that go on with a command's name; none behind a task that has begun. */
function nextWords(before: readonly string[], commands: readonly CliCommand[]): readonly string[] {
  return commands.flatMap(({ name }) => {
    const parts = name.split(' ');
    const next = parts[before.length];
    return next !== undefined && before.every((word, at) => word === parts[at]) ? [next] : [];
  });
}

/** Without options and their values. */
function argumentsIn(words: readonly string[], options: OptionsByName): readonly string[] {
  return words.filter((word, at) => !word.startsWith('-') && optionNamed(words[at - 1] ?? '', options) === null);
}

/** The option whose value is typed, if there is one. */
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
