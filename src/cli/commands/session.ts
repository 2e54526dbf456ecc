import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../lib/escape-terminal.ts';
import type { Command } from '../arguments.ts';
import { usage } from '../arguments.ts';
import type { Output } from '../headless/printer.ts';
import { locateProject, openProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';
import { formatSession, formatSessionList } from '../session/format-sessions.ts';
import { listSessions, showSession } from '../session/read-sessions.ts';
import { withKernel } from './with-kernel.ts';

/** `fluffy session list|show`: read from the database, with no container. `undo` is the kernel's work. */
export async function sessionCommand(
  command: Extract<Command, { kind: 'session' }>,
  env: Environment,
  output: Output,
): Promise<ExitCode> {
  if (command.action === 'undo') return undoCommand(command, env, output);
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

/** `fluffy session undo`: takes the last commit back, of the session named or of the newest that has one. Exit 1 when it is refused. */
async function undoCommand(
  command: Extract<Command, { kind: 'session' }>,
  env: Environment,
  output: Output,
): Promise<ExitCode> {
  const opened = await openProject(command.project, command.allowRoot, env);
  const id = command.session ?? listSessions(opened.dirs.database).find(({ commits }) => commits.length > 0)?.id;
  if (id === undefined) throw usage('no session has made a commit yet');
  return withKernel(opened, { env, allowRoot: command.allowRoot, output }, async (client) => {
    const result = await client.request('session.undo', { session_id: id });
    const lines = [result.message, ...result.paths.map((path) => `  ${path}`)].map((line) => escapeTerminal(line));
    output.stdout(command.json ? `${escapeJsonForTerminal(JSON.stringify(result))}\n` : `${lines.join('\n')}\n`);
    return result.outcome === 'undone' ? EXIT.done : EXIT.failed;
  });
}
