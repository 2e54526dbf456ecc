import type { SlashCommand } from './slash-command.ts';

export const doctor: SlashCommand = {
  name: 'doctor',
  argument: null,
  help: 'check whether a session can start here',
  synonyms: ['checkhealth', 'health', 'diagnose'],
  needs: 'nothing',
  run: async (_, context) => {
    context.note('Looking at engine, images and protections: this takes some seconds.');
    context.answer(await context.examine());
  },
};

export const feedback: SlashCommand = {
  name: 'feedback',
  argument: '[text]',
  help: 'write a report for the maintainers; nothing is sent',
  synonyms: ['bug', 'issue'],
  needs: 'nothing',
  keepsQuotes: true,
  run: async (said, context) => {
    context.note('Gathering what a maintainer needs: this takes some seconds.');
    const file = await context.writeFeedback(said);
    context.answer(
      [
        `Feedback is in ${file}`,
        'Nothing was sent. The file has no messages of the session; text that looks like a secret is masked.',
        'To send it: read it, remove what nobody should see, and attach it to an issue of the repository that you got fluffy from.',
      ].join('\n'),
    );
  },
};
