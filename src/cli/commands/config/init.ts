import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const configInit = defineCommand({
  name: 'config init',
  summary: "Write the project's .fluffy/config.yaml with the test command that was found",
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy config init', what: 'Once in a new project' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../config/config-commands.ts')).initConfig(input, services),
});
