import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';

const MAX_BYTES = 1024 * 1024;

/** Returns a small file of the project as text; '' if it is missing, too large or not text. */
export async function textOf(workspace: Workspace, path: ProjectPath): Promise<string> {
  const read = await workspace.read(path, MAX_BYTES);
  return read.kind === 'file' ? (decodeUtf8(read.bytes) ?? '') : '';
}
