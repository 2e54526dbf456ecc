import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const auditReset = defineCommand({
  name: 'audit reset',
  summary: 'Go on with an audit log that is broken, in a new epoch',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy audit reset', what: 'Show what is broken, ask, and sign with your approval key' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.decisionNeeded],
  read: (given) => given,
  run: async (input, services) => (await import('../../audit/reset-audit.ts')).resetCommand(input, services),
});
