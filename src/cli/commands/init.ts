import { EXIT } from '../../contracts/exit-codes.ts';
import { defineCommand } from '../command-line/cli-command.ts';
import { usage } from '../usage-error.ts';

export const init = defineCommand({
  name: 'init',
  summary: 'Set up the first session: choose a provider, store its key, see what there is',
  arguments: [],
  options: {},
  examples: [{ line: 'fluffy init', what: 'Once on a new machine' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: (given) => given,
  run: async (input, { env, stdin, output }) => {
    if (!stdin.isTTY || !process.stdout.isTTY)
      throw usage(
        'fluffy init asks in a terminal',
        'Without one: fluffy config set-key PROVIDER, fluffy config set model NAME',
      );
    const { runSetUp } = await import('../setup/run-set-up.tsx');
    if (!(await runSetUp(input, env))) return EXIT.failed;
    output.stdout('To begin: type fluffy in a project.\n');
    return EXIT.done;
  },
});
