import { realpath } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { exists } from '../paths.ts';

const USUAL_PLACES = ['/usr/local/go/bin', '/usr/lib/go/bin', '/opt/homebrew/opt/go/libexec/bin'];

/** The root of the first Go in PATH or in a usual directory that may be used; null if there is none. */
export async function findGoRoot(path: string, isUsable: (root: string) => boolean): Promise<string | null> {
  const searched = [...path.split(delimiter), ...USUAL_PLACES].filter((each) => isAbsolute(each));
  for (const directory of searched) {
    const root = await goRootOf(directory);
    if (root !== null && isUsable(root)) return root;
  }
  return null;
}

async function goRootOf(directory: string): Promise<string | null> {
  const go = await realpath(join(directory, 'go')).catch(() => null);
  if (go === null) return null;
  const root = dirname(dirname(go));
  return (await exists(join(root, 'VERSION'))) && (await exists(join(root, 'src/runtime'))) ? root : null;
}
