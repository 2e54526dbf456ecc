import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const policyEdit = defineCommand({
  name: 'config policy edit',
  summary: 'Change the policy of the project in $EDITOR, see what it changes, and sign it',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy config policy edit', what: 'A running kernel uses the new policy at once' }],
  exitCodes: [
    EXIT.done,
    EXIT.failed,
    EXIT.usage,
    EXIT.noRuntime,
    EXIT.decisionNeeded,
    EXIT.kernelCrashed,
    EXIT.interrupted,
    EXIT.terminated,
  ],
  read: (given) => given,
  run: async (input, services) => (await import('./policy-commands.ts')).editPolicy(input, services),
});
