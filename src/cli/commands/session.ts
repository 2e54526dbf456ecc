import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeJsonForTerminal } from '../../lib/escape-terminal.ts';
import type { Command } from '../arguments.ts';
import { usage } from '../arguments.ts';
import type { Output } from '../headless/printer.ts';
import { locateProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';
import { formatSession, formatSessionList } from '../session/format-sessions.ts';
import { listSessions, showSession } from '../session/read-sessions.ts';

/** `fluffy session list|show`: read from the database, with no container. */
export async function sessionCommand(
  command: Extract<Command, { kind: 'session' }>,
  env: Environment,
  output: Output,
): Promise<ExitCode> {
  const dirs = await locateProject(command.project, env);
  if (command.action === 'list') {
    const sessions = listSessions(dirs.database);
    output.stdout(
      command.json ? `${escapeJsonForTerminal(JSON.stringify(sessions))}\n` : `${formatSessionList(sessions)}\n`,
    );
    return EXIT.done;
  }
  const id = command.session ?? listSessions(dirs.database)[0]?.id;
  if (id === undefined) throw usage('there is no session yet');
  const session = showSession(dirs.database, id);
  output.stdout(command.json ? `${escapeJsonForTerminal(JSON.stringify(session))}\n` : `${formatSession(session)}\n`);
  return EXIT.done;
}
