import type { ObjectId } from '../../contracts/ids.ts';
import type { Repository } from '../../contracts/ports/repository.ts';
import { parseCommitLinks } from '../../lib/git/commit.ts';
import { firstText } from '../../lib/text/first-last.ts';

const MAX_COMMIT_BYTES = 1024 * 1024;

/**
 * The first lines of the newest commits' messages. Ends at the end of the history, at a shallow boundary, or at a
 * commit that cannot be read.
 */
export async function recentSubjects(repository: Repository, count: number): Promise<readonly string[]> {
  const outcome = await repository.state();
  const subjects: string[] = [];
  let next: ObjectId | undefined = outcome.kind === 'ok' ? outcome.state.head : undefined;
  while (next !== undefined && subjects.length < count) {
    const commit = await repository.readObject(next, MAX_COMMIT_BYTES);
    const links = commit?.type === 'commit' ? parseCommitLinks(commit.content) : null;
    if (commit === null || links === null) break;
    subjects.push(subjectOf(commit.content.toString('utf8')));
    next = links.parents[0];
  }
  return subjects;
}

function subjectOf(content: string): string {
  const message = content.slice(content.indexOf('\n\n') + 2);
  return firstText(message.trimStart().split('\n', 1));
}
