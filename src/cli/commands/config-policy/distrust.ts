import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const policyDistrust = defineCommand({
  name: 'config policy distrust',
  summary: 'Take your signature of the policy of the project back',
  arguments: [],
  options: {
    all: { type: 'boolean', default: false, describe: 'Of every policy that this project has had' },
  },
  examples: [{ line: 'fluffy config policy distrust', what: 'The policy counts as unsigned from then on' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, services) => (await import('./policy-commands.ts')).distrustPolicy(input, services),
});
