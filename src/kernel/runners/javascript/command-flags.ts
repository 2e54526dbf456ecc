import { ownValue } from '../../../lib/own-value.ts';
import type { Words } from '../command-words.ts';

export interface FlagForm {
  /** Long names of short flags. */
  readonly short: Readonly<Record<string, string>>;
  /** Flags for how the project is set up. Flags that select tests or change the output are left out. */
  readonly kept: ReadonlySet<string>;
  /** Kept flags without a value. A flag in no list has no value either. */
  readonly bare: ReadonlySet<string>;
  /** Flags that are left out and whose value may be a separate word. */
  readonly dropped: ReadonlySet<string>;
}

export interface CommandWords {
  /** `--name=value`, in the order of the command. */
  readonly flags: readonly string[];
  readonly positional: readonly string[];
}

/** Divides the words after a program into kept flags and words that are not flags. */
export function commandFlags(words: Words, form: FlagForm): CommandWords {
  const flags: string[] = [];
  const positional: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    const [flag = '', inline] = word.split(/=(.*)/s);
    const name = form.short[flag] ?? flag;
    if (!name.startsWith('-')) positional.push(word);
    else if (!form.kept.has(name)) index += inline === undefined && form.dropped.has(name) ? 1 : 0;
    else if (form.bare.has(name)) flags.push(name);
    else flags.push(`${name}=${inline ?? words[(index += 1)] ?? ''}`);
  }
  return { flags, positional };
}

/** Returns the index of the word that starts a program, by its name or path; -1 if there is none. */
export function indexOfProgram(words: Words, ...programs: readonly string[]): number {
  return words.findIndex((word) => programs.some((each) => word === each || word.endsWith(`/${each}`)));
}

/**
 * Returns Node's own flags in a command, as `--name=value`: those in `NODE_OPTIONS`, and those between `node` and the
 * program.
 */
export function nodeFlags(words: Words): readonly string[] {
  const assigned = words.find((word) => word.startsWith('NODE_OPTIONS='))?.slice('NODE_OPTIONS='.length) ?? '';
  const node = indexOfProgram(words, 'node');
  const after = node === -1 ? [] : words.slice(node + 1);
  const end = after.findIndex((word, index) => !word.startsWith('-') && !NODE_VALUES.has(after[index - 1] ?? ''));
  const given = [...assigned.split(' '), ...(end === -1 ? after : after.slice(0, end))];
  return given.flatMap((word, index) => {
    if (NODE_VALUES.has(word)) return [`${ownValue(NODE_LONG, word) ?? word}=${given[index + 1] ?? ''}`];
    return NODE_KEPT.test(word) ? [word] : [];
  });
}

const NODE_LONG: Readonly<Record<string, string>> = { '-r': '--require', '-C': '--conditions' };
const NODE_VALUES = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--conditions', '-C']);
const NODE_KEPT = /^--(?:experimental-[a-z-]+|(?:import|loader|conditions|require)=.+|no-warnings)$/;
