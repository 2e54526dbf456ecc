import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionRedo = defineCommand({
  name: 'session redo',
  summary: 'Make the commit again that session undo took back last',
  arguments: [{ name: 'session', describe: 'Its id (default: the newest)' }],
  options: {},
  examples: [{ line: 'fluffy session redo', what: 'Reverse the last session undo' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime, EXIT.kernelCrashed],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).redoLastCommit(input, services),
});
