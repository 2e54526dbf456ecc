import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { POLICY_OPTION } from './policy-option.ts';

export const policyCheck = defineCommand({
  name: 'config policy check',
  summary: 'List errors and warnings of a policy with file:line:column',
  arguments: [{ name: 'file', describe: 'A policy file (default: the policy of the project)' }],
  options: { ...POLICY_OPTION },
  examples: [{ line: 'fluffy config policy check policy.yaml', what: 'Exit 2 on an error' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('./policy-commands.ts')).checkPolicy(input, services),
});
