import { readFile, realpath, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ObjectId } from '../../../contracts/ids.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import {
  runtimeDirs,
  userDirs,
  type ProjectDirs,
  type RuntimeDirs,
  type UserDirs,
} from '../../../contracts/host-layout.ts';
import { RpcFailure, type RpcPeer } from '../../../ipc/index.ts';
import { toolchainStamp } from '../../../host/toolchains/toolchain-stamp.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { linkedGit } from '../../project/linked-git.ts';
import { projectError } from '../../project/project-problem.ts';
import { connectSupervisor } from './connect-supervisor.ts';
import { bindState, findState } from '../../project-state/find-state.ts';
import { projectMisfit } from './project-fit.ts';
import { recordedRuntimeRoot } from '../runtime-directory.ts';
import { directoryProblem, unsafe } from '../owned-directory.ts';
import { otherSettings } from '../settings-in-use.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { makeStateDirectories, realPathOf } from '../state-directories.ts';
import {
  DEFAULT_HOST_SETTINGS,
  settingsDigest,
  settingsParts,
  type HostSettings,
  type SupervisorOptions,
} from '../supervisor-options.ts';
import { attachResult, fromWire, kernelChange, toolchainsResult, type KernelChange } from '../supervisor-protocol.ts';

export interface AttachOptions {
  /** The project's root, as `detectProject` found it. */
  readonly projectRoot: string;
  /** HEAD of the project, by which its state is recognised at another path. */
  readonly head?: ObjectId;
  /** The user's own environment: the source of state, endpoints and keys. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a project that belongs to root is worked on as uid 0. */
  readonly allowRoot: boolean;
  /** The folder fluffy was cloned to, with `dist/` and `seccomp/`. */
  readonly repoRoot: string;
  readonly onProgress: (text: string) => void;
  /** The user's own configuration; absent: the default values. */
  readonly settings?: HostSettings;
  /** Called when the kernel dies, is back (connect to `cliSocket` again), or is given up. */
  readonly onKernelChange?: (change: KernelChange) => void;
  /** How long the supervisor stays without clients. Default ten minutes; FLUFFY_SUPERVISOR_IDLE_MS for tests. */
  readonly idleMs?: number;
}

export interface AttachedKernel {
  /** The kernel's socket for the session protocol. */
  readonly cliSocket: string;
  readonly projectId: string;
  readonly user: UserDirs;
  readonly dirs: ProjectDirs;
  readonly runtime: RuntimeDirs;
  /** Resolves when the supervisor has ended, for any reason. */
  readonly closed: Promise<void>;
  /** From now on the supervisor may end when it is idle. */
  release(): void;
}

const DEFAULT_IDLE_MS = 10 * 60_000;
const ATTEMPTS = 6;
const ATTACH_TIMEOUT_MS = 180_000;

/**
 * Attaches to the kernel of a project, starting its supervisor if there is none. Two that come at once get one supervisor.
 *
 * @throws FluffyError exit 2: `project_owned_by_root`, `project_not_owned`, `project_unsuitable`, `directory_unsafe`,
 *   `supervisor_busy`; exit 3: `engine_…`, `images_missing`; exit 7: `kernel_not_started`, `supervisor_failed`
 */
export async function attachKernel(attach: AttachOptions): Promise<AttachedKernel> {
  const { env } = attach;
  const projectRoot = await realpath(attach.projectRoot);
  const owner = await checkOwner(projectRoot, attach.allowRoot);
  const user = userDirs(env);
  await checkFit(projectRoot, user, env);
  const { dirs, notice } = await findState(user, projectRoot);
  if (notice !== null) attach.onProgress(notice);
  await makeStateDirectories(dirs, owner);
  await bindState(dirs, attach.head ?? null);

  const settings = attach.settings ?? DEFAULT_HOST_SETTINGS;
  const repoRoot = await realpath(attach.repoRoot);
  const version = await programVersion(repoRoot);
  const parts = settingsParts(version, settings, env);
  const options: SupervisorOptions = {
    project_root: projectRoot,
    project_id: dirs.id,
    ...owner,
    repo_root: repoRoot,
    settings,
    settings_digest: settingsDigest(version, settings, env),
    settings_parts: parts,
    toolchain_stamp: await toolchainStamp({ projectRoot, env }),
    idle_ms: attach.idleMs ?? idleFrom(env),
  };
  const start = (): Promise<void> =>
    spawnSupervisor({ options, hostDirectory: dirs.host, env, onProgress: attach.onProgress });

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const found = await findSupervisor(dirs.host);
    const peer = found === null ? null : await connectTo(found, attach);
    if (found === null || peer === null) {
      await start();
      continue;
    }
    if (await hasOldToolchains(peer, options.toolchain_stamp)) {
      attach.onProgress('restarting the kernel with the toolchains that the project has now');
      await stop(peer);
      continue;
    }
    const answer = await askToAttach(peer, options.settings_digest);
    switch (answer.kind) {
      case 'attached':
        return {
          cliSocket: answer.cli_socket,
          projectId: dirs.id,
          user,
          dirs,
          runtime: found,
          closed: peer.closed.then(() => undefined),
          release: () => peer.close(),
        };
      case 'failed':
        peer.close();
        throw fromWire(answer.error);
      case 'other-settings':
        if (answer.busy) throw busy(await otherSettings(dirs.host, parts));
        attach.onProgress('restarting the kernel with the new settings');
        await stop(peer);
        break;
      case 'replaced':
        attach.onProgress('the directory of this project was replaced; starting a kernel for the new one');
        await peer.closed;
        break;
      case 'gone':
        // It was about to end. Its successor waits for it.
        await sleep(100);
        break;
      default:
        assertNever(answer);
    }
  }
  throw new FluffyError({
    code: 'supervisor_failed',
    what: "The project's supervisor could not be reached",
    why: `it ended during each of ${ATTEMPTS} attempts`,
    fix: `look into ${join(dirs.host, 'supervisor.log')}, or run \`fluffy doctor\``,
    exitCode: EXIT.kernelCrashed,
  });
}

async function checkOwner(root: string, allowRoot: boolean): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(root);
  const me = process.getuid?.() ?? uid;
  if (uid === 0 && !allowRoot) throw projectError({ kind: 'owned-by-root' }, root);
  if (me !== 0 && me !== uid) throw projectError({ kind: 'not-owned', path: root, owner: uid }, root);
  return { uid, gid };
}

async function checkFit(
  root: string,
  user: UserDirs,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const runtime = env['XDG_RUNTIME_DIR'];
  const own = [user.config, user.stateHome, ...(runtime?.startsWith('/') === true ? [`${runtime}/fluffy`] : [])];
  const places = await Promise.all(own.map(realPathOf));
  const linked = await linkedGit(root);
  // L1 may write to both.
  const [misfit] = [root, ...(linked === null ? [] : [linked.commonDir])].flatMap((path) => {
    const why = projectMisfit(path, places);
    return why === null ? [] : [{ path, why }];
  });
  if (misfit === undefined) return;
  const { path, why } = misfit;
  throw new FluffyError({
    code: 'project_unsuitable',
    what: `fluffy cannot work on ${path}`,
    why,
    fix: 'start fluffy in a project that has a directory of its own, or set XDG_STATE_HOME and XDG_CONFIG_HOME to other places',
    exitCode: EXIT.usage,
  });
}

/** The socket of the project's supervisor. The directory is checked first, so that no foreign socket is used. */
async function findSupervisor(host: string): Promise<RuntimeDirs | null> {
  const root = await recordedRuntimeRoot(host);
  if (root === null) return null;
  const problem = await directoryProblem(root, process.getuid?.() ?? 0).catch(() => 'missing');
  if (problem === 'missing') return null;
  if (problem !== null) throw unsafe(root, problem);
  return runtimeDirs(root);
}

async function connectTo(runtime: RuntimeDirs, { onKernelChange }: AttachOptions): Promise<RpcPeer | null> {
  return connectSupervisor(runtime.supervisorSocket, (peer) => {
    if (onKernelChange !== undefined) peer.onEvent('kernel.changed', kernelChange, onKernelChange);
  }).catch((error: unknown) => {
    if (error instanceof FluffyError) return null;
    throw error;
  });
}

/** False if the supervisor does not know this request: one of another version has other settings too. */
async function hasOldToolchains(peer: RpcPeer, stamp: string): Promise<boolean> {
  const request = peer.request('toolchains', { stamp }, { result: toolchainsResult, timeoutMs: ATTACH_TIMEOUT_MS });
  return request.then(({ kind }) => kind === 'changed').catch(() => false);
}

async function stop(peer: RpcPeer): Promise<void> {
  await peer.request('stop', {}).catch(() => undefined);
  await peer.closed;
}

async function askToAttach(
  peer: RpcPeer,
  digest: string,
): Promise<z.infer<typeof attachResult> | { readonly kind: 'gone' }> {
  try {
    const params = { settings_digest: digest };
    return await peer.request('attach', params, { result: attachResult, timeoutMs: ATTACH_TIMEOUT_MS });
  } catch (error) {
    peer.close();
    if (error instanceof RpcFailure) return { kind: 'gone' };
    throw error;
  }
}

/** Changes with every build; a source tree has only one version. */
async function programVersion(repoRoot: string): Promise<string> {
  const manifest = await readFile(join(repoRoot, 'dist/manifest.json')).catch(() => null);
  return manifest === null ? 'source' : createHash('sha256').update(manifest).digest('hex');
}

function idleFrom(env: Readonly<Record<string, string | undefined>>): number {
  const text = env['FLUFFY_SUPERVISOR_IDLE_MS'] ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : DEFAULT_IDLE_MS;
}

function busy(differing: readonly string[]): FluffyError {
  const which = differing.length === 0 ? 'its endpoints, keys, configuration or version' : differing.join(', ');
  return new FluffyError({
    code: 'supervisor_busy',
    what: 'Another fluffy works on this project with other settings',
    why: `these differ from yours, and its kernel is in use: ${which}`,
    fix: 'wait until it has ended, or start this one with the same environment and configuration',
    exitCode: EXIT.usage,
  });
}
