import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Write the whole audit log as JSON lines, archived records included',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy audit export > audit.jsonl', what: 'One record a line, with its hash' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.auditBroken],
  readerMayLeave: true,
  read: (given) => ({ ...given, json: true, limit: undefined }),
  run: async (input, services) => (await import('../../audit/audit-commands.ts')).printAuditLog(input, services),
});
