import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';

export const configInit = defineCommand({
  name: 'config init',
  summary: "Write the project's .fluffy/config.yaml with the test command that was found, and run it once",
  arguments: [],
  options: {
    coverage: {
      type: 'boolean',
      default: false,
      describe: 'Begin a coverage baseline; changes nothing else in a project with a configuration',
    },
    'no-run': { type: 'boolean', default: false, describe: 'Write the file without running the tests' },
  },
  examples: [
    { line: 'fluffy config init', what: 'Once in a new project' },
    { line: 'fluffy config init --no-run', what: 'Without a sandbox' },
    { line: 'fluffy config init --coverage', what: 'Compare the coverage of later commits' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage],
  read: ({ noRun, ...given }) => ({ ...given, run: !noRun }),
  run: async (input, services) => (await import('../../config/init/init-command.ts')).initConfig(input, services),
});
