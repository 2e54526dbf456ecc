import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const configList = defineCommand({
  name: 'config list',
  summary: 'Print the configuration in force',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy config list --json', what: 'For a script' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('../../config/config-commands.ts')).listConfig(input, services),
});
