import type { SlashCommand } from './slash-command.ts';

export const exportSession: SlashCommand = {
  name: 'export',
  argument: '[file]',
  help: 'write this session to a .md, .html, .json or .jsonl',
  synonyms: ['save', 'share', 'dump'],
  needs: 'session',
  run: async (file, context) =>
    context.note(`The session is in ${await context.writeExport(file === '' ? null : file)}`),
};
