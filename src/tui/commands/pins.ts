import { plural } from '../../lib/text/plural.ts';
import type { SlashCommand } from './slash-command.ts';

export const pin: SlashCommand = {
  name: 'pin',
  argument: 'text',
  help: 'keep this text, or file, in every request',
  synonyms: ['remember', 'keep'],
  needs: 'session',
  run: async (text, context) => {
    const { pins } = await context.request('session.pin', { text });
    context.answer(pins.map((each, index) => `${index + 1}. ${each}`).join('\n'));
  },
};

export const unpin: SlashCommand = {
  name: 'unpin',
  argument: 'number',
  help: 'remove a pin, by its number or its text',
  synonyms: ['forget'],
  needs: 'session',
  run: async (wanted, context) => {
    const { removed, pins } = await context.request('session.unpin', { pin: wanted });
    context.note(
      removed === null
        ? `There is no pin ${wanted}; there ${pins.length === 1 ? 'is' : 'are'} ${plural(pins.length, 'pin')}.`
        : `Taken off: ${removed}`,
    );
  },
};
