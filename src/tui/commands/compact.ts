import type { SlashCommand } from './slash-command.ts';

export const compact: SlashCommand = {
  name: 'compact',
  argument: '[keep]',
  help: 'replace older messages by a summary',
  synonyms: ['summarize', 'summarise', 'compress'],
  needs: 'session',
  run: async (keep, context) => {
    await context.request('session.compact', { keep });
    context.note(
      'The conversation is compacted before the next request. Nothing is lost: the model can search all of it.',
    );
  },
};
