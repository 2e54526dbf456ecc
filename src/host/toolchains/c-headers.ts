import { cp, mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Header directories of the C library and the kernel. Headers of other libraries are useless without the libraries. */
const DIRECTORIES = /^(?:arpa|asm|asm-generic|bits|gnu|linux|net|netinet|netpacket|protocols|rpc|rpcsvc|scsi|sys)$/;
const HEADER = /\.h$/;
/** gcc's own directory, completely. */
const OWN = /\/gcc\//;

/**
 * Copies the C headers from the directories that gcc searches, which the output of `gcc -E -v` lists. Returns the copied directories, by their names
 * in `to`, in search order.
 */
export async function copyHeaders(verbose: string, to: string): Promise<readonly string[]> {
  const searched = searchedDirectories(verbose);
  for (const [index, from] of searched.entries()) {
    const into = join(to, String(index));
    await mkdir(into, { recursive: true });
    const entries = await readdir(from, { withFileTypes: true }).catch(() => []);
    for (const { name } of entries) {
      const isWanted = OWN.test(from) || HEADER.test(name) || DIRECTORIES.test(name);
      if (isWanted)
        await cp(await realpath(join(from, name)), join(into, name), { recursive: true, dereference: true });
    }
  }
  return searched.map((_, index) => String(index));
}

/** Pure. */
export function searchedDirectories(verbose: string): readonly string[] {
  const [, listed = ''] =
    /^#include <\.\.\.> search starts here:\n([\s\S]*?)^End of search list\.$/m.exec(verbose) ?? [];
  return listed.split('\n').flatMap((line) => (line.trim().startsWith('/') ? [line.trim()] : []));
}
