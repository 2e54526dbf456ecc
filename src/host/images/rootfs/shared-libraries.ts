import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Absolute paths of the libraries in the output of `ldd`. A library that it could not find has no path and is left out. */
export function parseLdd(output: string): string[] {
  const found = new Set<string>();
  for (const line of output.split('\n')) {
    const path = /=>\s+(\/\S+)\s+\(0x/.exec(line)?.[1] ?? /^\s+(\/\S+)\s+\(0x/.exec(line)?.[1];
    if (path !== undefined) found.add(path);
  }
  return [...found].sort();
}

/**
 * The shared libraries, including the loader, that these programs and libraries need. Static programs and scripts need none; `ldd` then exits
 * non-zero while it still lists the others, so its status is ignored.
 */
export async function sharedLibraries(paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const output = await run('ldd', [...paths], { env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' }, maxBuffer: 16 << 20 })
    .then(({ stdout }) => stdout)
    .catch((error: unknown) => lddOutputOf(error));
  return parseLdd(output);
}

function lddOutputOf(error: unknown): string {
  if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== '')
    return error.stdout;
  throw error;
}
