import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { PROJECT_SCOPE } from './project-scope.ts';

export const configSet = defineCommand({
  name: 'config set',
  summary: 'Set one value',
  arguments: [
    { name: 'key', describe: 'For example sandbox.memory; docs/configuration.md lists every key', required: true },
    { name: 'value', describe: 'YAML; one that begins with a dash goes behind --', required: true },
  ],
  options: { ...PROJECT_SCOPE },
  examples: [{ line: 'fluffy config set model anthropic/claude-sonnet-4-5', what: 'For every project' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../config/config-commands.ts')).setConfig(input, services),
});
