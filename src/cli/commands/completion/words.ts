import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import type { CliCommand } from '../../command-line/cli-command.ts';

/** Called by shells for each word. `all`: every command, including the one without a name. */
export function completionWords(all: () => { commands: readonly CliCommand[]; run: CliCommand }): CliCommand {
  return defineCommand({
    name: 'completion-words',
    summary: 'What can be where the last word is: shells call it',
    arguments: [{ name: 'line', describe: 'The words behind fluffy, behind --', rest: true }],
    options: {},
    examples: [{ line: 'fluffy completion-words -- =session =', what: 'The commands for sessions' }],
    exitCodes: [EXIT.done],
    forPrograms: true,
    withoutHome: true,
    read: (given) => given,
    run: async ({ line, project }, services) => {
      const { printWords } = await import('../../completion/print-words.ts');
      return printWords(line ?? '', project, all(), services);
    },
  });
}
