import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const sessionList = defineCommand({
  name: 'session list',
  summary: 'List the sessions of the project',
  arguments: [],
  options: { all: { type: 'boolean', default: false, describe: 'Archived ones too' } },
  examples: [{ line: 'fluffy session list --json', what: 'For a script' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('../../session/session-commands.ts')).printSessionList(input, services),
});
