import { EXIT } from '../../contracts/exit-codes.ts';
import { defineCommand } from '../command-line/cli-command.ts';

export const models = defineCommand({
  name: 'models',
  summary: 'List the models that can be used here, and why others cannot',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy models --json', what: 'Windows, prices and abilities for a script' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('../models/models-command.ts')).printModels(input, services),
});
