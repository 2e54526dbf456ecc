import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const auditKeys = defineCommand({
  name: 'audit keys',
  summary: 'Print the public keys that others need to verify your commits',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy audit keys > me.keys', what: 'Public keys, to give to others' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../audit/audit-commands.ts')).keysCommand(input, services),
});
