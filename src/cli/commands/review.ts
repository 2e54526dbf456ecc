import { EXIT } from '../../contracts/exit-codes.ts';
import { defineCommand } from '../command-line/cli-command.ts';
import { usage } from '../usage-error.ts';

export const review = defineCommand({
  name: 'review',
  summary: 'Show or decide a waiting review',
  arguments: [{ name: 'session', describe: 'Its session (default: the newest review of all)' }],
  options: {
    approve: { type: 'boolean', default: false, describe: 'Sign and commit exactly what was shown' },
    reject: { type: 'string', requiresArg: true, describe: 'Send it back to the model, with this reason' },
    'add-tests': {
      type: 'boolean',
      default: false,
      describe: 'Have the model write tests for a change of explore or debug mode before the merge',
    },
  },
  examples: [
    { line: 'fluffy review', what: 'Show what waits; exit 4 while it waits' },
    { line: 'fluffy review --approve', what: 'Commit exactly what was shown' },
    { line: 'fluffy review --reject "Keep the old name"', what: 'Send it back to the model' },
  ],
  exitCodes: Object.values(EXIT),
  read: (given) => {
    const decisions = [given.approve, given.reject !== undefined, given.addTests].filter(Boolean);
    if (decisions.length > 1) throw usage('--approve, --reject and --add-tests exclude each other');
    return given;
  },
  run: async (input, services) => (await import('../review/review-command.ts')).reviewCommand(input, services),
});
