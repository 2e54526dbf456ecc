import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { CliCommand, CliServices } from '../command-line/cli-command.ts';
import { expectedAt, fitting } from './completions.ts';
import { readShellWords } from './shell-scripts.ts';
import { readValues } from './value-sources.ts';

/** Prints the completions of the last word, one a line. */
export async function printWords(
  line: string,
  project: string | undefined,
  all: { readonly commands: readonly CliCommand[]; readonly run: CliCommand },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const expected = expectedAt(readShellWords(line), all.commands, all.run);
  const values = await readValues(expected, { project, env });
  for (const word of fitting(expected, [...expected.words, ...values])) output.stdout(`${word}\n`);
  return EXIT.done;
}
