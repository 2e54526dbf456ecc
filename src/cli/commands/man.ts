import packageJson from '../../../package.json' with { type: 'json' };
import { EXIT } from '../../contracts/exit-codes.ts';
import { defineCommand } from '../command-line/cli-command.ts';
import type { CliCommand } from '../command-line/cli-command.ts';

/** `all`: every command, including the one without a name. */
export function man(all: () => { commands: readonly CliCommand[]; run: CliCommand }): CliCommand {
  return defineCommand({
    name: 'man',
    summary: 'Print the manual page, made from the commands themselves',
    arguments: [],
    options: {},
    examples: [{ line: 'fluffy man > ~/.local/share/man/man1/fluffy.1', what: 'So that man fluffy finds it' }],
    exitCodes: [EXIT.done],
    readerMayLeave: true,
    withoutHome: true,
    read: (given) => given,
    run: async (_, { output }) => {
      const { manPage } = await import('../completion/man-page.ts');
      const { commands, run } = all();
      output.stdout(manPage(packageJson.version, run, commands));
      return EXIT.done;
    },
  });
}
