import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { resumeArguments, runTask } from '../../run-task.ts';

export const sessionResume = defineCommand({
  name: 'session resume',
  summary: 'Continue a session',
  arguments: [{ name: 'session', describe: 'Its id (default: the newest)' }],
  options: {},
  examples: [{ line: 'fluffy session resume', what: 'The same as fluffy --continue' }],
  exitCodes: Object.values(EXIT),
  read: ({ session, ...given }) => resumeArguments(session, given),
  run: runTask,
});
