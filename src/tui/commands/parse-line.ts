import { ownValue } from '../../lib/own-value.ts';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import { KEY_HELP } from '../menu/key-help.ts';
import { usageOf } from './slash-command.ts';
import type { SlashCommand } from './slash-command.ts';

/** Maximum number of suggested commands that begin with the typed text. */
const MAX_MEANT = 3;

/** The meaning of an entered line. */
export type EnteredLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'message'; readonly text: string }
  /** A script for sh in a sandbox. */
  | { readonly kind: 'script'; readonly script: string }
  /** For the project's memory file. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'command'; readonly command: SlashCommand; readonly argument: string }
  /** A command with a missing or unexpected argument. */
  | { readonly kind: 'misused'; readonly usage: string }
  /** An unknown command; `suggestion` says what to type, if that is known. */
  | { readonly kind: 'unknown'; readonly word: string; readonly suggestion: string };

/** Session commands of other tools, and their equivalent here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  config: 'In a shell, fluffy config list shows the configuration.',
  details: 'Ctrl-O opens the calls in full.',
  editor: 'Ctrl-G opens the prompt in your editor.',
  login: 'In a shell, fluffy config set-key PROVIDER stores a key.',
  mention: '@ names a file.',
  review: '/diff shows the staged changes; Ctrl-O opens a waiting review.',
  settings: 'In a shell, fluffy config list shows the configuration.',
};

/** Words that end other programs of this kind. */
const LEAVING: ReadonlySet<string> = new Set(['exit', 'quit', ':q', ':q!', ':wq', '/exit']);

/** A line that begins with a slash is a command, with an exclamation mark a script, with a number sign a note; with a leading blank it is text. */
export function parseLine(line: string, commands: readonly SlashCommand[]): EnteredLine {
  if (line.trim() === '') return { kind: 'nothing' };
  if (line.startsWith('!')) {
    const script = line.slice(1).trim();
    return script === '' ? { kind: 'misused', usage: '!command, as !git log -3' } : { kind: 'script', script };
  }
  if (isNote(line)) {
    const text = line.slice(1).trim();
    return text === '' ? { kind: 'misused', usage: '#note, as #Tests run with npm test' } : { kind: 'note', text };
  }
  const named = LEAVING.has(line.trimEnd()) ? 'quit' : line.trimEnd() === KEY_HELP ? 'keys' : null;
  const meant = commands.find(({ name }) => name === named);
  if (meant !== undefined) return { kind: 'command', command: meant, argument: '' };
  if (!line.startsWith('/')) return { kind: 'message', text: line.trim() };
  const [, word = '', rest = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const command = commands.find(({ name }) => name === word);
  if (command === undefined)
    return { kind: 'unknown', word: `/${word}`, suggestion: suggest(word.toLowerCase(), commands) };
  const argument = command.keepsQuotes === true ? rest.trim() : unquote(rest);
  const fits = command.argument === null ? rest === '' : unquote(argument) !== '' || command.argument.startsWith('[');
  return fits ? { kind: 'command', command, argument } : { kind: 'misused', usage: usageOf(command) };
}

/** Text of several lines is Markdown, and `#12` is an issue. */
function isNote(line: string): boolean {
  return /^#(?!\d)[^\n]*$/.test(line.trimEnd());
}

/** A suggestion by the word's meaning in other tools, by its beginning, or by a typing error; for an unknown word no command is suggested. */
function suggest(word: string, commands: readonly SlashCommand[]): string {
  const same = commands.find(({ synonyms }) => synonyms.includes(word));
  if (same !== undefined) return `Here it is /${same.name}.`;
  const elsewhere = ownValue(ELSEWHERE, word);
  if (elsewhere !== undefined) return elsewhere;
  const names = commands.map(({ name }) => name);
  const begun = word === '' ? [] : names.filter((name) => name.startsWith(word));
  const nearest = nearestWord(word, names);
  const meant = begun.length > 0 && begun.length <= MAX_MEANT ? begun : nearest === null ? [] : [nearest];
  return meant.length === 0
    ? '/help lists the commands.'
    : `Did you mean ${meant.map((name) => `/${name}`).join(' or ')}?`;
}

function unquote(text: string): string {
  const quoted = /^(["'])([\s\S]*)\1$/.exec(text.trim());
  return (quoted?.[2] ?? text).trim();
}
