import type { SlashCommand } from './slash-command.ts';

/** A decision about the review that is shown. In `--input-format stream-json` these are lines of their own, which wait for their review. */
export const approve: SlashCommand = {
  name: 'approve',
  argument: null,
  help: 'sign and carry out exactly what the review shows',
  synonyms: ['accept', 'yes', 'ok', 'merge', 'commit', 'apply'],
  needs: 'nothing',
  keepsLine: true,
  run: (_, context) => context.decide({ kind: 'approve' }),
};

export const reject: SlashCommand = {
  name: 'reject',
  argument: '"why"',
  help: 'send it back to the model with the reason; FILE... before it: only these have to change',
  synonyms: ['deny', 'decline', 'no'],
  needs: 'nothing',
  keepsLine: true,
  keepsQuotes: true,
  run: (argument, context) => {
    const said = readRejection(argument, context.reviewFiles());
    if (said.kind === 'unclear') context.hint(said.hint);
    else context.decide({ kind: 'reject', reason: said.reason });
  },
};

export type Rejection =
  | { readonly kind: 'reason'; readonly reason: string }
  /** Nothing is decided. */
  | { readonly kind: 'unclear'; readonly hint: string };

/** What could be meant for a file: it has a folder, or an ending. */
const LIKE_A_PATH = /^[^"'\s]*(?:\/[^"'\s]*|\.[A-Za-z]\w{0,7})$/;

/**
 * What the model reads. With files before a reason in quotes, only these have to change, and the others are accepted as they are. Without quotes, words that
 * begin with a file, or with what looks like one, are not taken for a reason: the whole change would be rejected where a file was meant. Pure.
 */
export function readRejection(argument: string, files: readonly string[]): Rejection {
  const [, names = '', double, single] = /^(?:([^"'\s].*?)\s+)?(?:"([^"]*)"|'([^']*)')$/s.exec(argument) ?? [];
  const quoted = (double ?? single)?.trim();
  const words = (quoted === undefined ? argument : names).split(/\s+/).filter((word) => word !== '');
  if (quoted === '') return unclear(`The reason is empty: /reject ${names === '' ? '' : `${names} `}"why"`);
  if (quoted !== undefined && words.length === 0) return { kind: 'reason', reason: quoted };
  const meant = (word: string) => files.includes(word) || LIKE_A_PATH.test(word);
  const isAboutFiles = quoted === undefined ? meant(words[0] ?? '') : words.some(meant);
  if (!isAboutFiles) return { kind: 'reason', reason: argument };
  const leading = words.slice(0, words.findIndex((word) => !meant(word)) >>> 0);
  const unknown = (quoted === undefined ? leading : words).find((word) => !files.includes(word));
  if (unknown !== undefined)
    return unclear(`${unknown} is no file of this review. A reason alone in quotes: /reject "why"`);
  if (quoted === undefined) return unclear(`The reason goes in quotes: /reject ${leading.join(' ')} "why"`);
  return { kind: 'reason', reason: aboutFiles(words, quoted, files) };
}

function unclear(hint: string): Rejection {
  return { kind: 'unclear', hint };
}

function aboutFiles(wanted: readonly string[], why: string, files: readonly string[]): string {
  const others = files.filter((path) => !wanted.includes(path));
  const rest =
    others.length === 0 ? '' : ` The other files are accepted as they are; leave them: ${others.join(', ')}.`;
  return `To change: ${wanted.join(', ')}. ${why}${/[.!?]$/.test(why) ? '' : '.'}${rest}`;
}
