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
  help: 'send it back to the model with the reason',
  synonyms: ['deny', 'decline', 'no'],
  needs: 'nothing',
  keepsLine: true,
  run: (reason, context) => context.decide({ kind: 'reject', reason }),
};
