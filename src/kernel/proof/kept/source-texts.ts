import type { SessionContext } from '../../services.ts';
import { sourceHashes, stagedWork } from '../in-source/staged-work.ts';
import { textAt } from '../read-text.ts';

/** A changed file as text; null if it does not exist or is not text. */
export interface SourceTexts {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Returns the changed files that are not tests, before and after. */
export async function sourceTexts(context: SessionContext): Promise<SourceTexts[]> {
  const { services, workspace } = context;
  const paths = Object.keys(sourceHashes(await stagedWork(context), services.policy()));
  const project = await services.workspaces.scratch();
  try {
    const texts: SourceTexts[] = [];
    for (const path of paths)
      texts.push({ path, before: await textAt(project.workspace, path), after: await textAt(workspace, path) });
    return texts;
  } finally {
    await project.close();
  }
}
