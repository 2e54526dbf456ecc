import type { SlashCommand } from './slash-command.ts';

export const vim: SlashCommand = {
  name: 'vim',
  argument: null,
  help: 'the keys of vi at the prompt, or those of a shell',
  synonyms: ['vi', 'keybindings'],
  needs: 'nothing',
  run: (_, context) => context.keepKeys(context.keys === 'vim' ? 'emacs' : 'vim'),
};
