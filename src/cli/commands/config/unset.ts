import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { PROJECT_SCOPE } from './project-scope.ts';

export const configUnset = defineCommand({
  name: 'config unset',
  summary: 'Remove one value; the default counts again',
  arguments: [
    { name: 'key', describe: 'For example sandbox.memory; docs/configuration.md lists every key', required: true },
  ],
  options: { ...PROJECT_SCOPE },
  examples: [{ line: 'fluffy config unset model', what: 'Back to the default' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../config/config-commands.ts')).unsetConfig(input, services),
});
