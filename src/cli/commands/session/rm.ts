import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionRm = defineCommand({
  name: 'session rm',
  summary: 'Remove a session and its staged changes',
  arguments: [{ name: 'session', describe: 'Its id', required: true }],
  options: {
    yes: { alias: 'y', type: 'boolean', default: false, describe: 'Drop staged work without asking' },
  },
  examples: [
    {
      line: 'fluffy session rm s_vur9wgtn2bogme7ndd5b',
      what: 'Deletes its conversation and staged work; commits and audit log stay',
    },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime, EXIT.decisionNeeded, EXIT.kernelCrashed],
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).removeSession(input, services),
});
