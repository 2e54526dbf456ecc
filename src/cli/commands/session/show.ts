import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionShow = defineCommand({
  name: 'session show',
  summary: 'Show what happened in a session',
  arguments: [{ name: 'session', describe: 'Its id, or the beginning of it (default: the newest)' }],
  options: {},
  examples: [{ line: 'fluffy session show', what: 'The newest one' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).printSession(input, services),
});
