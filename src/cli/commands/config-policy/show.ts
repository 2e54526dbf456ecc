import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { POLICY_OPTION } from './policy-option.ts';

export const policyShow = defineCommand({
  name: 'config policy show',
  summary: 'Print the policy in force',
  arguments: [],
  options: { ...POLICY_OPTION },
  examples: [{ line: 'fluffy config policy show', what: 'Shipped policy and project policy together' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  readerMayLeave: true,
  read: (given) => given,
  run: async (input, services) => (await import('./policy-commands.ts')).showPolicy(input, services),
});
