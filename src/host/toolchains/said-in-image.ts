import type { Engine } from '../images/engine-api.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { runThrowaway } from '../images/throwaway-container.ts';

/** Where and as whom a program is tried. */
export interface TriedIn {
  readonly engine: Engine;
  readonly imageId: string;
  /** Owner of the project, the user of its sandboxes. */
  readonly uid: number;
  readonly gid: number;
}

const MAX_CHARACTERS = 100;
const MIB = 1024 * 1024;

/**
 * What a command prints in a container of the images, with the limits of a sandbox; null if it fails there. So another C library or processor is
 * noticed. `mounts`: directories of this machine, and where they are in the container.
 */
export async function saidInImage(
  { engine, imageId, uid, gid }: TriedIn,
  command: readonly string[],
  mounts: readonly { readonly source: string; readonly target: string }[],
): Promise<string | null> {
  const { exitCode, stdout } = await runThrowaway(engine, {
    image: imageId,
    command,
    user: `${uid}:${gid}`,
    hostConfig: {
      Mounts: mounts.map(({ source, target }) => ({ Type: 'bind', Source: source, Target: target, ReadOnly: true })),
      Memory: 512 * MIB,
      MemorySwap: 512 * MIB,
      PidsLimit: 100,
    },
    timeoutMs: 30_000,
  }).catch(() => ({ exitCode: null, stdout: '' }));
  return exitCode === 0 ? stdout.trim().slice(0, MAX_CHARACTERS) : null;
}

/** Why a program is not used after its trial. `said`: what it printed, null: it failed; undefined: there was no trial, because of `error`. Pure. */
export function whyLeftOut(said: string | null | undefined, error: unknown, trial: 'copied' | 'tried'): string {
  if (said === null) return 'does not run in a sandbox';
  return said === undefined
    ? `cannot be ${trial}: ${messageOf(error)}`
    : `says that it is ${JSON.stringify(said.slice(0, 40))}`;
}
