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
  run: (argument, context) => {
    const reason = reasonFor(argument, context.reviewFiles());
    if (reason === null)
      context.note(`Each word before the reason has to be a file of the review: /reject FILE... "why"`);
    else context.decide({ kind: 'reject', reason });
  },
};

/**
 * What the model reads. With files before a reason in quotes, only these have to change, and the others are accepted as they are. Null where some of these
 * words are files of the review and others are not. Pure.
 */
export function reasonFor(argument: string, files: readonly string[]): string | null {
  const [, names = '', double, single] = /^(?:(\S.*?)\s+)?(?:"([^"]*)"|'([^']*)')$/s.exec(argument) ?? [];
  const quoted = double ?? single;
  const wanted = names.split(/\s+/);
  if (quoted === undefined || !wanted.some((name) => files.includes(name))) return argument;
  if (quoted.trim() === '' || wanted.some((name) => !files.includes(name))) return null;
  const others = files.filter((path) => !wanted.includes(path));
  const rest =
    others.length === 0 ? '' : ` The other files are accepted as they are; leave them: ${others.join(', ')}.`;
  return `To change: ${wanted.join(', ')}. ${quoted.trim()}${/[.!?]$/.test(quoted.trim()) ? '' : '.'}${rest}`;
}
