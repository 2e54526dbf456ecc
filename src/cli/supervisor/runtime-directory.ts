import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { directoryProblem, ownDirectory, unsafe } from './owned-directory.ts';

/** A socket path below has up to 61 bytes more (`guard/<sandbox>/secret.sock`), and the system allows 107 in all. */
const MAX_ROOT_BYTES = 46;

const recordSchema = z.strictObject({ version: z.literal(1), root: z.string().startsWith('/') });

/** `host/runtime.json`: the directory of this project's sockets. */
export function runtimeRecordPath(host: string): string {
  return join(host, 'runtime.json');
}

/** Held by the project's supervisor for as long as it, and anything it made, exists. */
export function supervisorLock(host: string): string {
  return join(host, 'supervisor.lock');
}

/** Undoes `prepareRuntimeRoot`, at an orderly end. Files of an L1 are removed too; no link is followed. */
export async function removeRuntimeRoot(host: string, root: string): Promise<void> {
  await rm(runtimeRecordPath(host), { force: true });
  await rm(root, { recursive: true, force: true });
}

/** The present or former directory of the project's sockets; null if it is unknown. Not checked yet. */
export async function recordedRuntimeRoot(host: string): Promise<string | null> {
  const text = await readFile(runtimeRecordPath(host), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return recordSchema.parse(JSON.parse(text)).root;
  } catch {
    return null;
  }
}

/**
 * Chooses, creates and records the directory of this project's sockets: below XDG_RUNTIME_DIR if that is usable, else a private one in /tmp with an
 * unguessable name. A directory of a killed supervisor is reused.
 *
 * Only the supervisor that holds the project's lock may call it.
 *
 * @throws FluffyError `directory_unsafe` if the owner or mode of one of Fluffy's directories has changed
 */
export async function prepareRuntimeRoot(
  place: { readonly host: string; readonly projectId: string; readonly stateHome: string },
  xdgRuntimeDir: string | undefined,
): Promise<string> {
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const name = createHash('sha256').update(`${place.projectId}\0${place.stateHome}`).digest('hex').slice(0, 8);
  const base = await usableRuntimeDir(xdgRuntimeDir, me.uid);
  const shared = base === null ? null : `${base}/fluffy/${name}`;
  if (base !== null && shared !== null && Buffer.byteLength(shared) <= MAX_ROOT_BYTES) {
    await ownDirectory(`${base}/fluffy`, me);
    await ownDirectory(shared, me);
    return record(place.host, shared);
  }

  const recorded = await recordedRuntimeRoot(place.host);
  if (recorded?.startsWith('/tmp/fluffy-') === true) {
    const problem = await directoryProblem(recorded, me.uid).catch(() => 'missing');
    if (problem === null) return recorded;
    if (problem !== 'missing') throw unsafe(recorded, problem);
  }
  return record(place.host, await realpath(await mkdtemp('/tmp/fluffy-')));
}

/** XDG_RUNTIME_DIR, if it meets its specification: absolute, the user's own, closed to others. */
async function usableRuntimeDir(path: string | undefined, uid: number): Promise<string | null> {
  if (path?.startsWith('/') !== true) return null;
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  return (await directoryProblem(real, uid).catch(() => 'missing')) === null ? real : null;
}

async function record(host: string, root: string): Promise<string> {
  await writeFileAtomic(runtimeRecordPath(host), `${JSON.stringify({ version: 1, root })}\n`, { mode: 0o600 });
  return root;
}
