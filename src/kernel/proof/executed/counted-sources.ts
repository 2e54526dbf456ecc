import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import type { SessionContext } from '../../services.ts';
import { splitChanges } from '../views/split-changes.ts';

/** Returns the changed sources whose executed lines a run counts: those with a known language. */
export async function countedSources(
  { services, workspace }: Pick<SessionContext, 'services' | 'workspace'>,
  command: TestCommand,
): Promise<string[]> {
  const { source } = splitChanges(services, command, await workspace.changes());
  return source.flatMap(({ path, after }) => (after.kind === 'file' && languageOfFile(path) !== null ? [path] : []));
}
