import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionArchive = defineCommand({
  name: 'session archive',
  summary: 'Take a session out of the list',
  arguments: [{ name: 'session', describe: 'Its id', required: true }],
  options: { undo: { type: 'boolean', default: false, describe: 'Put it back into the list' } },
  examples: [
    { line: 'fluffy session archive s_vur9wgtn2bogme7ndd5b', what: 'Hide it in the list; --resume still works' },
    { line: 'fluffy session archive --undo s_vur9wgtn2bogme7ndd5b', what: 'Show it again' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime, EXIT.kernelCrashed],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).archiveSession(input, services),
});
