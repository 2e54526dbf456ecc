import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';

const MAX_BYTES = 1024 * 1024;

/** A small file of the project as text; '' for one that is missing, too large, or no text. */
export async function textOf(workspace: Workspace, path: ProjectPath): Promise<string> {
  const read = await workspace.read(path, MAX_BYTES);
  return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
}
