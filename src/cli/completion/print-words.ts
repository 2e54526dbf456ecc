import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { MODEL_CATALOGUE } from '../../lib/models/catalogue.ts';
import type { CliCommand, CliServices } from '../command-line/cli-command.ts';
import { locateProject } from '../open-project.ts';
import { listSessions } from '../session/read-sessions.ts';
import { completions } from './completions.ts';
import { readShellWords } from './shell-scripts.ts';

const MAX_SESSIONS = 50;

/** Prints what can be where the last word is, one a line. Whatever cannot be read is left out: a shell has no place for errors. */
export async function printWords(
  line: string,
  project: string | undefined,
  all: { readonly commands: readonly CliCommand[]; readonly run: CliCommand },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const sessions = await locateProject(project, { env })
    .then(({ database }) => listSessions(database).slice(0, MAX_SESSIONS))
    .catch(() => []);
  const values = { sessions: sessions.map(({ id }) => id), models: Object.keys(MODEL_CATALOGUE.models) };
  for (const word of completions(readShellWords(line), all.commands, all.run, values)) output.stdout(`${word}\n`);
  return EXIT.done;
}
