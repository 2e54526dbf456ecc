import { ownValue } from '../../lib/own-value.ts';
import { firstText } from '../../lib/text/first-last.ts';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import type { CliCommand } from './cli-command.ts';
import { FOREIGN_COMMANDS, NEVER_A_VERB, SUBCOMMAND_WORDS } from './foreign-words.ts';

export type FoundCommand =
  /** The first `length` words are its name. */
  | { readonly kind: 'command'; readonly command: CliCommand; readonly length: number }
  /** The words are only the beginning of several command names. */
  | { readonly kind: 'group'; readonly group: string; readonly why: string; readonly fix: string }
  | { readonly kind: 'task' }
  /** The words look like a command but are none: as a task they would cost money for a typing error. */
  | { readonly kind: 'mistake'; readonly why: string; readonly fix: string };

const TASK: FoundCommand = { kind: 'task' };

/**
 * The command that the words of a command line name, if any. Pure. A word with a blank was quoted, so it is text. If the text after a command or
 * group reads like a sentence ("review the parser and fix it"), all of it is a task. In doubt it is a mistake, because `--` always sends a task.
 */
export function findCommand(words: readonly string[], commands: readonly CliCommand[]): FoundCommand {
  const [first, second] = words;
  if (first === undefined || /\s/.test(first)) return TASK;
  for (let length = Math.min(3, words.length); length > 0; length -= 1) {
    const name = words.slice(0, length).join(' ');
    const command = commands.find((each) => each.name === name);
    if (command !== undefined) return withArguments(command, words, length);
    const actions = actionsOf(name, commands);
    if (actions.length > 0) return inGroup(name, actions, words.slice(length), words);
  }
  const foreign = nearForeign(first);
  const alike = looksLikeCommand(second, words) || isHelpFor(second, words, commands);
  if (foreign !== null && (alike || (words.length === 2 && NEVER_A_VERB.has(foreign))))
    return mistake(words, FOREIGN_COMMANDS[foreign] ?? null);
  const near = nearestFirstWord(first, commands);
  if (near === null) return TASK;
  const actions = actionsOf(near, commands);
  const action = second === undefined || actions.length === 0 ? null : nearestAction(second, actions);
  if (action === null && !looksLikeCommand(second, words)) return TASK;
  return mistake(words, ['fluffy', near, action].filter((word) => word !== null).join(' '));
}

function withArguments(command: CliCommand, words: readonly string[], length: number): FoundCommand {
  const takes = command.arguments.some(({ rest }) => rest === true) ? Infinity : command.arguments.length;
  const rest = words.slice(length);
  const sentence = length === 1 && rest.length > takes && readsLikeSentence(rest);
  return sentence ? TASK : { kind: 'command', command, length };
}

function inGroup(
  group: string,
  actions: readonly string[],
  rest: readonly string[],
  words: readonly string[],
): FoundCommand {
  const [action] = rest;
  const names = `fluffy ${group} takes one of: ${actions.join(', ')}`;
  if (action === undefined) return { kind: 'group', group, why: `${group} needs a further word`, fix: names };
  const near = nearestAction(action, actions);
  if (near === null && readsLikeSentence(rest)) return TASK;
  const nearest = near === null ? '' : `; the nearest is fluffy ${group} ${near}`;
  return {
    kind: 'mistake',
    why: `${group} has no command ${JSON.stringify(action)}${nearest}`,
    fix: `${names}. As a task: ${asTask(words)}`,
  };
}

/** `help doctor`, `install image`: two words, the second of which is a command. */
function isHelpFor(second: string | undefined, words: readonly string[], commands: readonly CliCommand[]): boolean {
  return words.length === 2 && commands.some(({ name }) => name.split(' ')[0] === second);
}

/** At least two words that are neither a subcommand nor an id. */
function readsLikeSentence(rest: readonly string[]): boolean {
  const [next] = rest;
  return rest.length >= 2 && next !== undefined && !isSubcommand(next);
}

/** Whether a doubtful word was meant as a command: alone, before a subcommand or an id, or before one quoted text (`exec "fix it"`). */
function looksLikeCommand(second: string | undefined, words: readonly string[]): boolean {
  if (second === undefined) return true;
  return isSubcommand(second) || (words.length === 2 && /\s/.test(second));
}

function isSubcommand(word: string): boolean {
  return SUBCOMMAND_WORDS.has(word.toLowerCase()) || /^[srxt]_[a-z0-9]+$/.test(word);
}

/** The word itself, or for a longer word one with a typing error. */
function nearForeign(word: string): string | null {
  const lower = word.toLowerCase();
  if (Object.hasOwn(FOREIGN_COMMANDS, lower)) return lower;
  const alike = Object.keys(FOREIGN_COMMANDS).filter((each) => each.length >= 5 || isSwapped(lower, each));
  return lower.length >= 4 ? nearestWord(lower, alike, 1) : null;
}

/** `hlep` for `help`. Other single errors in a word of four letters give another valid word: `lint` is not `list`. */
function isSwapped(word: string, other: string): boolean {
  return other.length === 4 && [...word].toSorted().join('') === [...other].toSorted().join('');
}

function nearestFirstWord(word: string, commands: readonly CliCommand[]): string | null {
  const firsts = new Set(commands.map(({ name }) => firstText(name.split(' '))));
  return nearestWord(word, firsts, word.length < 8 ? 1 : 2);
}

/** The words that follow `group` in the registry; empty if it is no group. */
function actionsOf(group: string, commands: readonly CliCommand[]): readonly string[] {
  const behind = commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name }) => firstText(name.slice(group.length + 1).split(' ')));
  return [...new Set(behind)];
}

const SAME_ACTION: Readonly<Record<string, string>> = {
  ls: 'list',
  view: 'show',
  info: 'show',
  rm: 'unset',
  remove: 'unset',
};

function nearestAction(word: string, actions: readonly string[]): string | null {
  const same = ownValue(SAME_ACTION, word.toLowerCase());
  return same !== undefined && actions.includes(same) ? same : nearestWord(word, actions);
}

function mistake(words: readonly string[], nearest: string | null): FoundCommand {
  const shown = JSON.stringify(words.slice(0, 2).join(' '));
  const here = nearest === null ? 'fluffy has nothing like it' : `the nearest is ${nearest}`;
  const first = nearest === null ? 'fluffy --help lists the commands' : `Run ${nearest}`;
  return {
    kind: 'mistake',
    why: `There is no command ${shown}; ${here}`,
    fix: `${first}. As a task: ${asTask(words)}`,
  };
}

function asTask(words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
  return `fluffy -- ${quoted.join(' ')}`;
}
