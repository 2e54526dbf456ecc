import { EXIT } from '../../contracts/exit-codes.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import type { ProjectDirs } from '../../contracts/host-layout.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { jsonLine } from '../../lib/json-line.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { usage } from '../usage-error.ts';
import { locateProject, openProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';
import type { ExportFormat } from './export/export-formats.ts';
import { wholeSessionId } from './whole-session-id.ts';
import { formatSession, formatSessionList } from './format-sessions.ts';
import { listSessions, showSession } from './read-sessions.ts';
import type { SessionSummary } from './read-sessions.ts';
import { withKernel } from '../with-kernel.ts';
import type { KernelClient } from '../kernel-client/kernel-client.ts';

interface SessionInput extends GlobalInput {
  readonly session: string | undefined;
}

/** Throws FluffyError `database_lost` if there were sessions once, and what `listSessions` throws. */
async function sessionsIn(dirs: ProjectDirs, env: Environment): Promise<readonly SessionSummary[]> {
  const sessions = listSessions(dirs.database);
  if (sessions.length === 0) await (await import('../audit/lost-database.ts')).refuseLostDatabase(dirs, env);
  return sessions;
}

/** `fluffy session list`: read from the database, without a container. Archived sessions only with `all`. */
export async function printSessionList(
  input: GlobalInput & { readonly all: boolean },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const dirs = await locateProject(input.project, { env, output });
  const all = await sessionsIn(dirs, env);
  const sessions = all.filter(({ archived }) => input.all || !archived);
  const hidden = all.length - sessions.length;
  const table = (): string => formatSessionList(sessions, output.columns ?? undefined, hidden);
  output.stdout(input.json ? jsonLine(sessions) : `${table()}\n`);
  return EXIT.done;
}

/** `fluffy session show`: read from the database, without a container. */
export async function printSession(input: SessionInput, { env, output }: CliServices): Promise<ExitCode> {
  const dirs = await locateProject(input.project, { env, output });
  const session = showSession(dirs.database, wholeSessionId(await sessionsIn(dirs, env), input.session));
  output.stdout(input.json ? jsonLine(session) : `${formatSession(session)}\n`);
  return EXIT.done;
}

/** `fluffy session export`: like `session show`, as a document for other people. */
export async function printExport(
  input: SessionInput & { readonly format: ExportFormat | undefined; readonly output: string | undefined },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const dirs = await locateProject(input.project, { env, output });
  const sessionId = wholeSessionId(await sessionsIn(dirs, env), input.session);
  const { exportedText, writeExport } = await import('./export/write-export.ts');
  const { formatOfFile } = await import('./export/export-formats.ts');
  const source = { user: userDirs(env), dirs, sessionId };
  const format = input.json ? 'json' : (input.format ?? formatOfFile(input.output ?? ''));
  if (input.output === undefined) output.stdout(await exportedText(source, format));
  else output.stderr(`Wrote ${escapeTerminal(await writeExport(source, input.output, format))}\n`);
  return EXIT.done;
}

/** `fluffy session undo`: the kernel undoes the last commit. Exit 1 if it is refused. */
export function undoLastCommit(input: SessionInput, services: CliServices): Promise<ExitCode> {
  return moveBranch(input, 'session.undo', services);
}

/** `fluffy session redo`: the kernel makes it again. Exit 1 if it is refused. */
export function redoLastCommit(input: SessionInput, services: CliServices): Promise<ExitCode> {
  return moveBranch(input, 'session.redo', services);
}

async function moveBranch(
  input: SessionInput,
  request: 'session.undo' | 'session.redo',
  services: CliServices,
): Promise<ExitCode> {
  const { env, output } = services;
  const opened = await openProject(input.project, input.allowRoot, env);
  const sessions = await sessionsIn(opened.dirs, env);
  const fits = request === 'session.undo' ? sessions.filter(({ commits }) => commits.length > 0) : sessions;
  const id = input.session ?? fits[0]?.id;
  if (id === undefined) throw usage('no session has made a commit yet');
  return withKernel(opened, services, input.allowRoot, async (client) => {
    const result = await client.request(request, { session_id: id });
    const lines = [result.message, ...result.paths.map((path) => `  ${path}`)].map((line) => escapeTerminal(line));
    output.stdout(input.json ? jsonLine(result) : `${lines.join('\n')}\n`);
    return result.outcome === 'refused' ? EXIT.failed : EXIT.done;
  });
}

export async function renameSession(
  input: GlobalInput & { readonly session: string; readonly title: string },
  services: CliServices,
): Promise<ExitCode> {
  const opened = await openProject(input.project, input.allowRoot, services.env);
  const session = wholeSessionId(await sessionsIn(opened.dirs, services.env), input.session);
  return withKernel(opened, services, input.allowRoot, async (client) => {
    const { title } = await client.request('session.rename', { session_id: session, title: input.title });
    services.output.stderr(`Session ${session} is now called ${escapeTerminal(title)}\n`);
    return EXIT.done;
  });
}

/** `fluffy session archive`, also with `--undo`. */
export async function archiveSession(
  input: GlobalInput & { readonly session: string; readonly undo: boolean },
  services: CliServices,
): Promise<ExitCode> {
  return withSession(input, services, async (client, { id }) => {
    await client.request('session.archive', { session_id: id, ...(input.undo ? { undo: true } : {}) });
    return input.undo ? 'in the list' : 'archived; fluffy session list --all shows it, archive --undo puts it back';
  });
}

/** `fluffy session rm`: asks before staged work is lost, unless `yes`. */
export async function removeSession(
  input: GlobalInput & { readonly session: string; readonly yes: boolean },
  services: CliServices,
): Promise<ExitCode> {
  return withSession(input, services, async (client, session) => {
    const { id: session_id } = session;
    const { kept } = await client.request('session.remove', {
      session_id,
      ...(input.yes ? {} : { keep_staged: true }),
    });
    if (kept === true) {
      const { confirmRemoval } = await import('./confirm-removal.ts');
      const { personAtTerminal } = await import('../config/policy/person-at-terminal.ts');
      const person = personAtTerminal({ env: services.env, input: services.stdin });
      await confirmRemoval(session, person).finally(() => person.close());
      await client.request('session.remove', { session_id });
    }
    return 'removed';
  });
}

/** Does something with a session in its kernel, and says what it is now. */
async function withSession(
  input: GlobalInput & { readonly session: string },
  services: CliServices,
  use: (client: KernelClient, session: Pick<SessionSummary, 'id' | 'title' | 'state'>) => Promise<string>,
): Promise<ExitCode> {
  const { env, output } = services;
  const opened = await openProject(input.project, input.allowRoot, env);
  const sessions = await sessionsIn(opened.dirs, env);
  const id = wholeSessionId(sessions, input.session);
  const found = sessions.find((each) => each.id === id);
  return withKernel(opened, services, input.allowRoot, async (client) => {
    const done = await use(client, found ?? { id, title: '', state: 'idle' });
    output.stderr(`Session ${escapeTerminal(input.session)} is ${done}\n`);
    return EXIT.done;
  });
}
