import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** SHA-256 of the project policies that the user has signed for: one a line in the user's own trust directory. */
export async function trustedPolicies(trustDirectory: string): Promise<readonly string[]> {
  const text = await readFile(join(trustDirectory, 'policies'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').filter((line) => /^[0-9a-f]{64}$/.test(line));
}
