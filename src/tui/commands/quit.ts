import type { SlashCommand } from './slash-command.ts';

export const quit: SlashCommand = {
  name: 'quit',
  argument: null,
  help: 'leave fluffy; the session is kept',
  synonyms: ['exit', 'q', 'bye', 'close', 'logout'],
  needs: 'nothing',
  keepsLine: true,
  run: (_, context) => context.leave(),
};
