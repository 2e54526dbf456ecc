import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { usage } from '../../usage-error.ts';

export const auditLog = defineCommand({
  name: 'audit log',
  summary: 'Print the audit log, oldest record first',
  arguments: [],
  options: { limit: { type: 'number', requiresArg: true, describe: 'The newest records only' } },
  examples: [{ line: 'fluffy audit log --limit 20', what: 'The 20 newest records' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.auditBroken],
  readerMayLeave: true,
  read: (given) => {
    if (given.limit !== undefined && !(Number.isSafeInteger(given.limit) && given.limit > 0))
      throw usage('--limit takes a whole number above 0');
    return given;
  },
  run: async (input, services) => (await import('../../audit/audit-commands.ts')).printAuditLog(input, services),
});
