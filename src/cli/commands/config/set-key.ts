import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const configSetKey = defineCommand({
  name: 'config set-key',
  summary: 'Store the API key of a provider, read from standard input',
  arguments: [{ name: 'provider', describe: 'For example anthropic', required: true }],
  options: {},
  examples: [{ line: 'fluffy config set-key anthropic < key.txt', what: 'Without <, paste it; it is not shown' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.interrupted],
  // A key that was given by mistake must not be repeated on the screen.
  secretWords: true,
  read: (given) => given,
  run: async (input, services) => (await import('../../config/set-key.ts')).setKeyCommand(input, services),
});
