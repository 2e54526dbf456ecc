import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** A directory held open. Meanwhile `path` refers to exactly this directory, whatever is renamed or replaced. */
export interface HeldDirectory {
  /** `/proc/<pid>/fd/N`, for the engine, which is another process. */
  readonly path: string;
  /** `/proc/self/fd/N`, for this process. */
  readonly ownPath: string;
  close(): Promise<void>;
}

export type OpenOutcome =
  | { readonly kind: 'held'; readonly directory: HeldDirectory }
  | { readonly kind: 'missing' }
  /** A component is a symbolic link, is no directory, or can't be opened. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Linux: refers to a directory without permission to read it. Node has no constant for it. */
const O_PATH = 0o10000000;
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Opens `components` below a held directory, one by one; a link anywhere on the way is refused, not followed. */
export function openBelow(root: HeldDirectory, components: readonly string[]): Promise<OpenOutcome> {
  return walk(root.ownPath, components);
}

/** Opens an absolute path that must contain no link (a real path), one component at a time. */
export function openAbsolute(path: string): Promise<OpenOutcome> {
  if (!path.startsWith('/')) return Promise.resolve({ kind: 'refused', reason: 'not an absolute path' });
  return walk(
    '/',
    path.split('/').filter((component) => component !== ''),
  );
}

async function walk(start: string, components: readonly string[]): Promise<OpenOutcome> {
  let at = await open(start, O_PATH | constants.O_DIRECTORY);
  for (const component of components) {
    if (!isPlain(component)) {
      await at.close();
      return { kind: 'refused', reason: 'not a plain name' };
    }
    const parent = at;
    try {
      at = await open(`/proc/self/fd/${parent.fd}/${component}`, FLAGS);
    } catch (error) {
      return outcomeOf(error);
    } finally {
      await parent.close();
    }
  }
  return { kind: 'held', directory: held(at) };
}

function isPlain(component: string): boolean {
  return component !== '' && component !== '.' && component !== '..' && !/[/\0]/.test(component);
}

function outcomeOf(error: unknown): OpenOutcome {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return code === 'ENOENT' ? { kind: 'missing' } : { kind: 'refused', reason: code };
}

function held(handle: FileHandle): HeldDirectory {
  return {
    path: `/proc/${process.pid}/fd/${handle.fd}`,
    ownPath: `/proc/self/fd/${handle.fd}`,
    close: () => handle.close(),
  };
}
