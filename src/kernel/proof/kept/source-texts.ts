import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/decode-utf8.ts';
import type { SessionContext } from '../../services.ts';
import { hashesOf, isChange } from '../changed-files.ts';

const MAX_BYTES = 4 * 1024 * 1024;

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

export async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
