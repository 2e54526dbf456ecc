import type { SlashCommand } from './slash-command.ts';

export const undo: SlashCommand = {
  name: 'undo',
  argument: null,
  help: "undo this session's last commit",
  synonyms: ['revert', 'rollback'],
  needs: 'session',
  run: async (_, context) => {
    const { outcome, commit, message, paths } = await context.request('session.undo', {});
    if (outcome === 'undone' && commit !== undefined) context.commitUndone(commit);
    // An event reports what was undone.
    if (outcome === 'refused') context.answer([message, ...paths.map((path) => `  ${path}`)].join('\n'));
  },
};

export const redo: SlashCommand = {
  name: 'redo',
  argument: null,
  help: 'redo the commit that /undo removed',
  synonyms: ['reapply'],
  needs: 'session',
  run: async (_, context) => {
    const { outcome, commit, message, paths } = await context.request('session.redo', {});
    if (outcome === 'redone' && commit !== undefined) context.commitRedone(commit);
    // An event reports what was redone.
    if (outcome === 'refused') context.answer([message, ...paths.map((path) => `  ${path}`)].join('\n'));
  },
};
