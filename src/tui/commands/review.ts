import { firstText } from '../../lib/text/first-last.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { TESTS_WANTED } from '../../lib/text/review-words.ts';
import { argumentWords } from './argument-words.ts';
import type { SlashCommand, SlashContext } from './slash-command.ts';

/** A decision about the shown review. In `--input-format stream-json` these are lines of their own, which wait for their review. */
export const approve: SlashCommand = {
  name: 'approve',
  argument: '[FILE...]',
  help: 'sign and commit what is shown; FILE...: these alone',
  synonyms: ['accept', 'yes', 'ok', 'merge', 'commit', 'apply'],
  needs: 'nothing',
  keepsLine: true,
  keepsQuotes: true,
  run: (argument, context) => {
    const paths = namedFiles(argument, context);
    if (paths !== null) context.decide(paths.length === 0 ? { kind: 'approve' } : { kind: 'approve-files', paths });
  },
};

export const edit: SlashCommand = {
  name: 'edit',
  argument: 'FILE...',
  help: 'edit files of the review; tests and proof run again',
  synonyms: ['modify', 'change'],
  needs: 'session',
  keepsLine: true,
  keepsQuotes: true,
  run: async (argument, context) => {
    const paths = namedFiles(argument, context);
    if (paths !== null) await context.editReview(paths);
  },
};

/** The named files of the review, in order; null, with a hint, if one is not in it. */
function namedFiles(argument: string, context: SlashContext): readonly string[] | null {
  const files = context.reviewFiles();
  const paths = [...new Set(argumentWords(argument).map((word) => fileNamed(word, files)))];
  const unknown = paths.find((path) => !files.includes(path));
  if (unknown === undefined) return paths;
  context.hint(
    files.length === 0
      ? 'No review waits.'
      : `${unknown} is not a file of this review: ${listFirst(files, { max: 5 })}`,
  );
  return null;
}

/** Completion gives `@src/a.ts` for a file of the review, and a shell `./src/a.ts`. */
function fileNamed(word: string, files: readonly string[]): string {
  const path = word.replace(/^@/, '').replace(/^(?:\.\/)+/, '');
  return files.includes(path) ? path : word;
}

export const reject: SlashCommand = {
  name: 'reject',
  argument: '"why"',
  help: 'send the change back with a reason; FILE... before it',
  synonyms: ['deny', 'decline', 'no'],
  needs: 'nothing',
  keepsLine: true,
  keepsQuotes: true,
  run: (argument, context) => {
    const said = readRejection(argument, context.reviewFiles());
    if (said.kind === 'unclear') context.hint(said.hint);
    else context.decide(said);
  },
};

export const addTests: SlashCommand = {
  name: 'add-tests',
  argument: '[what]',
  help: 'request tests for a reviewed change before its merge',
  synonyms: ['cover', 'write-tests'],
  needs: 'nothing',
  keepsLine: true,
  run: (argument, context) => {
    if (context.testsCanFollow()) context.decide({ kind: 'reject', reason: argument || TESTS_WANTED, tests: true });
    else context.hint('No change waits that was made without tests first. /reject "why" sends a review back.');
  },
};

export type Rejection =
  | { readonly kind: 'reject'; readonly reason: string; readonly accepts?: readonly string[] }
  /** Nothing is decided. */
  | { readonly kind: 'unclear'; readonly hint: string };

/** A word that may be a file: it has a directory or an extension. */
const LIKE_A_PATH = /^[^"'\s]*(?:\/[^"'\s]*|\.[A-Za-z]\w{0,7})$/;

/**
 * The text for the model. With files before a quoted reason, only these must change, and the others are accepted. Without quotes, words that begin
 * with a (possible) file are not accepted as a reason, because the whole change would be rejected where only a file was meant. Pure.
 */
export function readRejection(argument: string, files: readonly string[]): Rejection {
  const [, names = '', double, single] = /^(?:([^"'\s].*?)\s+)?(?:"([^"]*)"|'([^']*)')$/s.exec(argument) ?? [];
  const quoted = (double ?? single)?.trim();
  const given = (quoted === undefined ? argument : names).split(/\s+/).filter((word) => word !== '');
  const words = given.map((word) => fileNamed(word, files));
  if (quoted === '') return unclear(`The reason is empty: /reject ${names === '' ? '' : `${names} `}"why"`);
  if (quoted !== undefined && words.length === 0) return { kind: 'reject', reason: quoted };
  const meant = (word: string) => files.includes(word) || LIKE_A_PATH.test(word);
  const isAboutFiles = quoted === undefined ? meant(firstText(words)) : words.some(meant);
  if (!isAboutFiles) return { kind: 'reject', reason: argument };
  const leading = words.slice(0, words.findIndex((word) => !meant(word)) >>> 0);
  const unknown = (quoted === undefined ? leading : words).find((word) => !files.includes(word));
  if (unknown !== undefined)
    return unclear(`${unknown} is not a file of this review. Put a reason in quotes: /reject "why"`);
  if (quoted === undefined) return unclear(`The reason goes in quotes: /reject ${leading.join(' ')} "why"`);
  return aboutFiles(words, quoted, files);
}

function unclear(hint: string): Rejection {
  return { kind: 'unclear', hint };
}

function aboutFiles(wanted: readonly string[], why: string, files: readonly string[]): Rejection {
  const accepts = files.filter((path) => !wanted.includes(path));
  const rest = accepts.length === 0 ? '' : ` The other files are accepted. Do not change them: ${accepts.join(', ')}.`;
  const reason = `To change: ${wanted.join(', ')}. ${why}${/[.!?]$/.test(why) ? '' : '.'}${rest}`;
  return { kind: 'reject', reason, accepts };
}
