import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** Runs `use` with an index file that is nobody else's and gone afterwards: the repository's own is never written. */
export async function withPrivateIndex<T>(use: (env: { readonly GIT_INDEX_FILE: string }) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'index-'));
  try {
    return await use({ GIT_INDEX_FILE: join(directory, 'index') });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
