import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const configGet = defineCommand({
  name: 'config get',
  summary: 'Print one value of the configuration in force',
  arguments: [
    { name: 'key', describe: 'For example sandbox.memory; docs/configuration.md lists every key', required: true },
  ],
  options: {},
  examples: [{ line: 'fluffy config get model', what: 'The model that a run uses' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../config/config-commands.ts')).getConfig(input, services),
});
