import type { CliServices } from '../command-line/cli-command.ts';
import { locateProject } from '../open-project.ts';
import type { RunArguments } from '../run-arguments.ts';
import { wholeSessionId } from './whole-session-id.ts';

/** The form of complete ids: nothing has to be looked up. */
const WHOLE_ID = /^s_[0-9a-z]{20}$/;

/** The session to resume, with its complete id if only the beginning was given. Throws FluffyError `usage` if several begin so. */
export async function resumedWhole(
  { resume, project }: Pick<RunArguments, 'resume' | 'project'>,
  services: Pick<CliServices, 'env' | 'output'>,
): Promise<RunArguments['resume']> {
  const given = resume?.session ?? null;
  if (resume === null || given === null || given === 'latest' || WHOLE_ID.test(given)) return resume;
  const { listSessions } = await import('./read-sessions.ts');
  const { database } = await locateProject(project, services);
  return { ...resume, session: wholeSessionId(listSessions(database), given) };
}
