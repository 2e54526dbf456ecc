import type { SlashCommand } from './slash-command.ts';

export const resume: SlashCommand = {
  name: 'resume',
  argument: null,
  help: 'choose another session of this project, continue it',
  synonyms: ['sessions', 'history', 'continue', 'chat'],
  needs: 'kernel',
  run: (_, context) => context.pickSession(),
};

export const startNew: SlashCommand = {
  name: 'new',
  argument: null,
  help: 'start a new session; this one is kept',
  synonyms: ['clear'],
  needs: 'kernel',
  run: (_, context) => context.startNewSession(),
};

export const rename: SlashCommand = {
  name: 'rename',
  argument: 'title',
  help: 'give this session another title',
  synonyms: ['name', 'title'],
  needs: 'session',
  keepsQuotes: true,
  run: async (wanted, context) => {
    const { title } = await context.request('session.rename', { title: wanted });
    context.note(`This session is now called ${title}`);
  },
};

export const rewind: SlashCommand = {
  name: 'rewind',
  argument: null,
  help: 'go back to an earlier message, in a copy; also Esc Esc',
  synonyms: ['back', 'checkpoint', 'restore'],
  needs: 'session',
  run: (_, context) => context.pickMessage(),
};

export const fork: SlashCommand = {
  name: 'fork',
  argument: null,
  help: 'continue in a copy of this session',
  synonyms: ['branch', 'copy'],
  needs: 'session',
  run: (_, context) => context.fork(),
};
