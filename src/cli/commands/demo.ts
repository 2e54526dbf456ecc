import { EXIT } from '../../contracts/exit-codes.ts';
import { defineCommand } from '../command-line/cli-command.ts';
import { BASE_OPTION, CONSENT_OPTION } from './shared-options.ts';

export const demo = defineCommand({
  name: 'demo',
  summary: 'Set up what is missing and show a whole task; no model is needed',
  arguments: [],
  options: {
    ...CONSENT_OPTION,
    ...BASE_OPTION,
    keep: { type: 'boolean', default: false, describe: 'Keep the demo project' },
  },
  examples: [{ line: 'fluffy demo --yes --keep', what: 'Install without asking, and keep the project' }],
  exitCodes: Object.values(EXIT),
  read: (given) => given,
  run: async (input, services) => (await import('../demo/demo-command.ts')).demoCommand(input, services),
});
