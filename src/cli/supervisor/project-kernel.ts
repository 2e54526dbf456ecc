import { chmod, lchown, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { detectRuntime } from '../../bootstrap/detect-runtime.ts';
import { removeLabelled } from '../../bootstrap/container-life.ts';
import type { Engine } from '../../bootstrap/engine-request.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { DEFAULT_MEMORY_LIMIT_BYTES } from '../../bootstrap/l1-container.ts';
import { startKernel, type KernelEvent, type KernelHandle } from '../../bootstrap/start-kernel.ts';
import { PACKAGE_MANAGERS } from '../../contracts/sandbox/package-managers.ts';
import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import type { ProjectDirs, RuntimeDirs, UserDirs } from '../../contracts/host-layout.ts';
import type { GitDirectories } from '../../contracts/git-directories.ts';
import { gitFile } from '../../lib/git/git-directories.ts';
import { MIN_FREE_BYTES, diskFull } from '../../lib/disk-full.ts';
import { isShortOfSpace } from '../../platform/sandbox-dirs/slot-usage.ts';
import { locationsInside } from '../locations-inside.ts';
import type { KernelOptions } from '../../contracts/kernel-options.ts';
import type { CheckPlace, FollowedLog, OpenServiceSockets } from '../../contracts/ports/host-services.ts';
import type { BoundedLog } from '../../host/runtime-guard/bounded-log.ts';
import { createEngineClient, type EngineClient } from '../../host/runtime-guard/engine-client.ts';
import { ownLabels, type GuardContext, type ServiceShape } from '../../host/runtime-guard/guard-context.ts';
import { serviceShapes } from '../../host/test-network/service-shapes.ts';
import { kernelTestNetwork } from '../config/test-network.ts';
import { SECCOMP_PROFILES, templateLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import type { ResourceLimits, SeccompProfile } from '../../contracts/sandbox/sandbox-templates.ts';
import { holdProject, type HeldProject } from '../../host/project-place.ts';
import { startRuntimeGuard, type RuntimeGuard } from '../../host/runtime-guard/runtime-guard.ts';
import { addSpending, calendarDay } from '../../host/spending/spending-ledger.ts';
import { signedHashes } from '../config/policy/trust-store.ts';
import { kernelSeccomp } from './kernel-seccomp.ts';
import type { hostAnchor } from './host/host-anchor.ts';
import { pinnedPaths } from '../../host/pinned-paths.ts';
import type { ProjectImage } from '../../host/images/project/project-image.ts';
import type { TriedIn } from '../../host/toolchains/said-in-image.ts';
import { type HostToolchains, hostToolchains } from '../../host/toolchains/host-toolchains.ts';
import { ownProgramMounts, toolchainMounts } from '../../host/toolchains/toolchain-mounts.ts';
import { linkedGit } from '../project/linked-git.ts';
import { HOST_PACKAGE_MANAGERS } from '../../host/packages/package-sockets.ts';
import { hostAttest } from './host/host-attest.ts';
import { hostSockets } from './host/host-sockets.ts';
import { instanceOf } from './instance.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { chosenImage, projectImages } from './sandbox-images.ts';
import type { SupervisorOptions } from './supervisor-options.ts';

export interface ProjectKernelOptions {
  readonly options: SupervisorOptions;
  readonly user: UserDirs;
  readonly dirs: ProjectDirs;
  readonly runtime: RuntimeDirs;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly followedLog: FollowedLog;
  readonly anchor: ReturnType<typeof hostAnchor>;
  readonly log: BoundedLog;
  readonly onProgress: (text: string) => void;
  readonly onKernelEvent: (event: KernelEvent) => void;
}

export interface ProjectKernel {
  readonly engine: Engine;
  readonly kernel: KernelHandle;
  /** Whether the paths of project and state still lead to the directories that the kernel uses. */
  readonly checkPlace: CheckPlace;
  /** Ends L1, then removes every sandbox and closes every service socket. Never rejects. */
  close(): Promise<void>;
}

/**
 * The host's side of one project, in the order of trust: engine, service sockets and guard, then L1, which sees only the guard's socket.
 *
 * @throws BootstrapError `engine_…` (3), `kernel_not_started` (7)
 * @throws FluffyError `disk_full` (1), `images_missing` (3), those of `projectImages` and `chosenImage`, and those of the service sockets'
 * configuration
 */
export async function startProjectKernel(project: ProjectKernelOptions): Promise<ProjectKernel> {
  const { options, runtime, dirs, onProgress } = project;
  if (await isShortOfSpace({ stateDir: dirs.kernel, minFreeBytes: MIN_FREE_BYTES })) throw diskFull(dirs.kernel);
  const engine = await detectRuntime(project.env, readHostSystem(project.env.PATH));
  const { stateHome } = project.user;
  const place = { engine, stateHome, repoRoot: options.repo_root, onProgress };
  const images = await projectImages(place);
  const { project_root: projectRoot, uid, gid, settings } = options;
  const image =
    settings.image === undefined ? null : await chosenImage(settings.image, { ...place, projectRoot, uid, gid });
  const tried = { engine, imageId: images.sandboxes.node, uid, gid };
  const own = image === null ? await ownToolchains(project, tried) : NO_TOOLCHAINS;
  const linked = await linkedGit(projectRoot);
  onProgress('starting the kernel');
  const client = createEngineClient(engine);
  const services = await serviceShapes(engine, settings.services ?? {}, projectRoot);
  const granted = { images: images.sandboxes, image, limits: settings.sandbox_limits, ...own, linked, services };
  const context = await guardContext(project, granted);
  const labels = { ...ownLabels(context), [LABELS.role]: 'kernel' };
  const sockets = hostSockets(
    project.user,
    options.settings,
    project.env,
    (event) => project.log.write({ event: 'service-socket', ...event }),
    context.hostsFile,
  );

  // A dead supervisor's kernel still uses the old directories: it is removed before they are made again.
  await removeLabelled(engine, labels);
  await makeRuntimeDirectories(runtime, options);
  const held = await holdProject({ root: options.project_root, linked, state: dirs.kernel });
  const guard = await startGuard(project, { engine, context, held }, sockets.openSockets).catch(
    async (error: unknown) => {
      await held.close();
      throw error;
    },
  );
  const close = async (): Promise<void> => {
    await guard.close();
    await held.close();
  };
  try {
    const kernelOptions = {
      ...(await ownOptions(project, granted)),
      provider_hosts: sockets.providerHosts,
      images: { kernel: images.kernel, ...context.images },
    };
    const kernel = await startKernel({
      engine,
      l1: {
        name: `fluffy-${options.project_id.slice(0, 8)}-${context.instance}-kernel`,
        image: images.kernel,
        labels,
        uid: options.uid,
        gid: options.gid,
        project: options.project_root,
        state: dirs.kernel,
        run: runtime.l1,
        seccomp: kernelSeccomp(context.seccomp.standard),
        kernelOptions: JSON.stringify(kernelOptions),
        memoryLimitBytes: kernelOptions.memory_limit_bytes,
      },
      pinned: () => pinnedPaths(options.project_root, linked),
      cliSocket: runtime.cliSocket,
      onEvent: project.onKernelEvent,
    });
    sweepInBackground(project, client);
    return {
      engine,
      kernel,
      checkPlace: () => held.check(),
      async close() {
        await kernel.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function ownToolchains(
  { options, user, env, onProgress }: ProjectKernelOptions,
  tried: TriedIn,
): Promise<HostToolchains> {
  const { stateHome } = user;
  const caches = join(stateHome, 'toolchains');
  return hostToolchains({ projectRoot: options.project_root, env, caches, stateHome, onProgress }, tried);
}

/** The kernel's options from the project and the configuration. */
async function ownOptions(
  { options, dirs, user }: ProjectKernelOptions,
  { image, limits, toolchains, node, python, linked }: Omit<Granted, 'images' | 'services'>,
): Promise<Omit<KernelOptions, 'provider_hosts' | 'images'>> {
  const network = kernelTestNetwork(options.settings);
  return {
    project_root: options.project_root,
    ...(linked === null ? {} : { linked }),
    project_id: options.project_id,
    uid: options.uid,
    gid: options.gid,
    memory_limit_bytes: options.settings.kernel_memory_bytes ?? DEFAULT_MEMORY_LIMIT_BYTES,
    ...(limits === undefined ? {} : { sandbox_limits: limits }),
    locations: await locationsInside(dirs, user, options.repo_root),
    ...(toolchains.length === 0 ? {} : { toolchains: toolchains.map(({ forTests }) => forTests) }),
    ...(node === null ? {} : { node_note: node }),
    ...(python === null ? {} : { python_note: python }),
    ...(image === null ? {} : { project_image: image.forTests }),
    ...(network === null ? {} : { test_network: network }),
  };
}

/** With the user's own image, the image is the toolchain. */
const NO_TOOLCHAINS: HostToolchains = { toolchains: [], node: null, python: null };

/** What the sandboxes of the project get. */
interface Granted extends HostToolchains {
  readonly images: GuardContext['images'];
  /** The user's own image for this project. */
  readonly image: ProjectImage | null;
  readonly limits: ResourceLimits | undefined;
  readonly linked: GitDirectories | null;
  readonly services: Readonly<Record<string, ServiceShape>>;
}

async function guardContext(
  { options, user, env }: ProjectKernelOptions,
  { images, image, limits, toolchains, linked, services }: Granted,
): Promise<GuardContext> {
  return {
    projectId: options.project_id,
    instance: instanceOf(user.stateHome),
    projectRoot: options.project_root,
    uid: options.uid,
    gid: options.gid,
    images: image === null ? images : { ...images, project: image.forTests.id },
    ...(image === null ? {} : { projectImage: image.shape }),
    seccomp: await seccompProfiles(options.repo_root),
    hostsFile: join(options.repo_root, 'sandbox-images/hosts'),
    caps: templateLimits(limits),
    borrowedObjects: linked === null ? null : gitFile(linked, 'objects'),
    ...(await toolchainMounts(toolchains, options.settings.dependency_mounts)),
    services,
    packageMounts: async (manager) => [
      ...((await HOST_PACKAGE_MANAGERS[manager].find(env)) ?? []),
      ...ownProgramMounts(toolchains, PACKAGE_MANAGERS[manager].image),
    ],
  };
}

function startGuard(
  { options, user, dirs, runtime, followedLog, anchor }: ProjectKernelOptions,
  { engine, context, held }: { engine: Engine; context: GuardContext; held: HeldProject },
  openSockets: OpenServiceSockets,
): Promise<RuntimeGuard> {
  return startRuntimeGuard({
    engine,
    context,
    paths: {
      state: dirs.kernel,
      run: runtime.l1,
      sockets: runtime.guard,
      socket: runtime.guardSocket,
      log: join(dirs.host, 'guard.log'),
    },
    openSockets,
    followedLog,
    anchor,
    attest: hostAttest(user, anchor, Date.now),
    addSpending: (used) =>
      addSpending(
        { day: `${user.stateHome}/spending.json`, project: join(dirs.host, 'spending.json') },
        used,
        calendarDay(Date.now()),
      ),
    isSignedPolicy: async (sha256) => (await signedHashes(user.trust, options.project_root)).has(sha256),
    checkPlace: () => held.check(),
    nowMs: Date.now,
  });
}

/** Left-overs of other projects do not affect this project's start, so nothing waits for their removal. */
function sweepInBackground({ options, user, log }: ProjectKernelOptions, engine: EngineClient): void {
  void sweepOrphans({ engine, stateHome: user.stateHome, ownProject: options.project_id }).then(
    (count) => log.write({ event: 'swept', count }),
    (error: unknown) => log.write({ event: 'sweep-failed', reason: String(error) }),
  );
}

/** Made again each time: files of an earlier L1 are not read. */
async function makeRuntimeDirectories(runtime: RuntimeDirs, { uid, gid }: SupervisorOptions): Promise<void> {
  for (const path of [runtime.l1, runtime.guard]) {
    await rm(path, { recursive: true, force: true });
    await mkdir(path, { mode: 0o700 });
    await chmod(path, 0o700);
  }
  if (process.getuid?.() === 0) await lchown(runtime.l1, uid, gid);
}

async function seccompProfiles(repoRoot: string): Promise<GuardContext['seccomp']> {
  const read = async (name: SeccompProfile) =>
    [name, await readFile(join(repoRoot, 'seccomp', `${name}.json`), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(SECCOMP_PROFILES.map(read))) as Record<SeccompProfile, string>;
}
