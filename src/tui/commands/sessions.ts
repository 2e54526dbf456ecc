import type { SlashCommand } from './slash-command.ts';

export const resume: SlashCommand = {
  name: 'resume',
  argument: null,
  help: 'choose another session of this project and go on with it',
  synonyms: ['sessions', 'history', 'continue', 'chat'],
  needs: 'kernel',
  run: (_, context) => context.pickSession(),
};

export const startNew: SlashCommand = {
  name: 'new',
  argument: null,
  help: 'begin a new session; this one is kept',
  synonyms: ['clear'],
  needs: 'kernel',
  run: (_, context) => context.startAnew(),
};

export const fork: SlashCommand = {
  name: 'fork',
  argument: null,
  help: 'go on in a copy of this session, with what is staged; Esc Esc forks before an earlier message',
  synonyms: ['branch', 'copy'],
  needs: 'session',
  run: (_, context) => context.fork(),
};
