import type { SessionContext } from '../../services.ts';
import { hashesOf, isChange } from '../changed-files.ts';
import { textAt } from '../read-text.ts';

/** A changed file as text; null: it is not there, or no text. */
export interface SourceTexts {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Changed files that are no tests, before and after. */
export async function sourceTexts({ services, workspace }: SessionContext): Promise<SourceTexts[]> {
  const paths = Object.keys(hashesOf(await workspace.changes(), services.policy(), isChange));
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
