import { cp, mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Directories of headers that belong to the C library and the kernel. Those of other libraries are of no use without the libraries. */
const DIRECTORIES = /^(?:arpa|asm|asm-generic|bits|gnu|linux|net|netinet|netpacket|protocols|rpc|rpcsvc|scsi|sys)$/;
const HEADER = /\.h$/;
/** gcc's own, all of it. */
const OWN = /\/gcc\//;

/**
 * Copies the headers of C from the directories that gcc searches, which it names in what `gcc -E -v` prints. Returns the directories of the copy, by their names in
 * `to`, in the order in which they are to be searched.
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
