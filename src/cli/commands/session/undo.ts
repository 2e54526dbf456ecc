import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionUndo = defineCommand({
  name: 'session undo',
  summary: 'Take the last commit of a session back',
  arguments: [{ name: 'session', describe: 'Its id (default: the newest that has made a commit)' }],
  options: {},
  examples: [{ line: 'fluffy session undo', what: 'Restore files, index and branch as before the last commit' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime, EXIT.kernelCrashed],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).undoLastCommit(input, services),
});
