import type { SlashCommand } from './slash-command.ts';

export const vim: SlashCommand = {
  name: 'vim',
  argument: null,
  help: 'switch the prompt between vi keys and shell keys',
  synonyms: ['vi', 'keybindings'],
  needs: 'nothing',
  run: (_, context) => context.keepKeys(context.keys === 'vim' ? 'emacs' : 'vim'),
};
