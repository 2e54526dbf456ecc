import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const auditAnchor = defineCommand({
  name: 'audit anchor',
  summary: 'Print the newest head that this host has signed, to keep elsewhere',
  arguments: [],
  options: {},
  examples: [
    { line: 'fluffy audit anchor >> heads.jsonl', what: 'Store it where nobody with write access here can write' },
    { line: 'fluffy audit verify --anchors heads.jsonl', what: 'Check that the log still has these heads' },
  ],
  exitCodes: [EXIT.done, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('../../audit/audit-commands.ts')).anchorCommand(input, services),
});
