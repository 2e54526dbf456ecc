import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionArchive = defineCommand({
  name: 'session archive',
  summary: 'Take a session out of the list',
  arguments: [{ name: 'session', describe: 'Its id', required: true }],
  options: {},
  examples: [
    { line: 'fluffy session archive s_vur9wgtn2bogme7ndd5b', what: 'Hide it in the list; --resume still works' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime, EXIT.kernelCrashed],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).archiveSession(input, services),
});
