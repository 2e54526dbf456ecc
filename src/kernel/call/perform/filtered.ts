import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { gitFiltersResultSchema } from '../../../contracts/sandbox/git-tool.ts';
import type { GitFiltersInput } from '../../../contracts/sandbox/git-tool.ts';
import { ancestors } from '../../../lib/ancestors.ts';
import { failure } from '../../tools/tool-answer.ts';
import type { ToolAnswer } from '../../tools/tool-answer.ts';
import type { CallContext } from '../call.ts';
import { askGit } from './ask-git.ts';

const MAX_ATTRIBUTES_BYTES = 1024 * 1024;

/**
 * Why these files cannot be written: the stored form of one of them is made by a git filter, and filters never run
 * here, so no commit of the file can be made. Git is asked only if an attributes file of the project, or
 * git's own one, names a filter. If git does not answer, the commit is refused later.
 */
export async function whyFiltered(context: CallContext, paths: readonly ProjectPath[]): Promise<ToolAnswer | null> {
  const { services, session, workspace, signal } = context;
  const asked = (await services.commits.namesFilter()) ? paths : await mayBeFiltered(workspace, paths);
  if (asked.length === 0) return null;
  const params = { paths: [...asked] } satisfies GitFiltersInput;
  const git = { sandboxes: services.sandboxes, session, signal };
  const outcome = await workspace.discarding(askGit(git, 'git.filters', params));
  if (outcome.kind !== 'completed' || outcome.value.kind !== 'ok') return null;
  const answer = gitFiltersResultSchema.safeParse(outcome.value.result);
  const found = answer.data?.filtered.find(({ path }) => asked.some((each) => each === path));
  if (found === undefined) return null;
  return failure(
    'path_refused',
    `${found.path} goes through the git filter ${JSON.stringify(found.filter.slice(0, 100))} (see .gitattributes and .git/info/attributes). Filters are programs of the user, which do not run here, ` +
      'so a change of this file cannot be committed. Nothing was written. Do the task without a change of this file. ' +
      'If that is impossible, call task.give_up, and say that a person has to change it.',
  );
}

/** The paths below a `.gitattributes` file that names a filter. */
async function mayBeFiltered(
  workspace: Pick<Workspace, 'read'>,
  paths: readonly ProjectPath[],
): Promise<readonly ProjectPath[]> {
  const known = new Map<string, Promise<boolean>>();
  const namesFilter = (file: string): Promise<boolean> => {
    const found = known.get(file) ?? readsFilter(workspace, file);
    known.set(file, found);
    return found;
  };
  const found: ProjectPath[] = [];
  for (const path of paths) {
    const files = ['.gitattributes', ...ancestors(path).map((directory) => `${directory}/.gitattributes`)];
    if ((await Promise.all(files.map(namesFilter))).includes(true)) found.push(path);
  }
  return found;
}

async function readsFilter(workspace: Pick<Workspace, 'read'>, file: string): Promise<boolean> {
  const found = await workspace.read(file as ProjectPath, MAX_ATTRIBUTES_BYTES);
  return found.kind === 'too-large' || (found.kind === 'file' && found.bytes.includes('filter'));
}
