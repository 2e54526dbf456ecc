import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionRename = defineCommand({
  name: 'session rename',
  summary: 'Give a session another title',
  arguments: [
    { name: 'session', describe: 'Its id', required: true },
    { name: 'title', describe: 'The words of its title', required: true, rest: true },
  ],
  options: {},
  examples: [{ line: 'fluffy session rename s_vur9 Errors of parseConfig', what: 'The list and the picker show it' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime, EXIT.kernelCrashed],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).renameSession(input, services),
});
