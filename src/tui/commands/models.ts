import type { SlashCommand } from './slash-command.ts';

export const model: SlashCommand = {
  name: 'model',
  argument: '[model]',
  help: 'choose another model, from the next request on',
  synonyms: ['models', 'llm'],
  needs: 'kernel',
  run: (argument, context) => (argument === '' ? context.pickModel() : context.chooseModel(argument)),
};

export const effort: SlashCommand = {
  name: 'effort',
  argument: '[level]',
  help: 'how much the model thinks: low, medium, high, default',
  synonyms: ['thinking', 'think', 'reasoning'],
  needs: 'kernel',
  run: (argument, context) => context.setEffort(argument),
};
