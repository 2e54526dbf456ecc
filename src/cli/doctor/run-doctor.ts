import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BootstrapEnvironment } from '../../bootstrap/detect-runtime.ts';
import type { HostEnvironment, ProjectDirs, UserDirs } from '../../contracts/host-layout.ts';
import type { Engine } from '../../host/images/engine-api.ts';
import { type ImageStatus, checkImages } from '../../host/images/ensure-images.ts';
import { sandboxNode } from '../../host/images/sandbox-node.ts';
import { pythonNote } from '../../host/toolchains/python/python-note.ts';
import type { ToolchainNote } from '../../host/toolchains/toolchain.ts';
import type { ImageChoice } from '../../host/images/project/project-image.ts';
import { createEngineClient, type EngineAddress } from '../../host/runtime-guard/engine-client.ts';
import type { Environment } from '../open-project.ts';
import { findTests } from '../config/init/detect-test-command.ts';
import { otherNode, runsInNode, runsInPython } from '../project/other-node.ts';
import { sweepOrphans } from '../supervisor/sweep-orphans.ts';
import { detectEngine } from '../../host/setup/detect-engine.ts';
import type { Machine } from '../../host/setup/machine.ts';
import { checkCatalogue } from './check-catalogue.ts';
import { checkEngine, checkEngineState, readEngine } from './check-engine.ts';
import { checkImage } from './check-images.ts';
import { type DoctorCheck, type DoctorReport, ok, problem } from './doctor-report.ts';
import { checkProjectImage, offeredImage } from './check-project-image.ts';
import { checkSpace } from './check-space.ts';
import { unwritable } from './check-user-directories.ts';
import { probeOverlay } from './probe-overlay.ts';
import { probeSandbox } from './probe-sandbox.ts';
import { messageOf } from '../../lib/text/message-of.ts';

export interface DoctorOptions {
  readonly env: BootstrapEnvironment & HostEnvironment & Environment;
  readonly machine: Machine;
  readonly user: UserDirs;
  /** The project that doctor was started in, if any. */
  readonly project: ProjectDirs | null;
  /** Directory of the project's sockets, when one is recorded. */
  readonly runtimeRoot: string | null;
  readonly repoRoot: string;
  /** Sandboxes run as the owner of the project. For root the probe uses the user `nobody`, because a project of root is refused elsewhere. */
  readonly owner: { readonly uid: number; readonly gid: number };
  /** What a session here needs besides the engine and the images; absent: not checked. */
  readonly startChecks?: readonly DoctorCheck[];
  /** The image that the user's configuration names for the project; absent: none. */
  readonly chosenImage?: ImageChoice | null;
  /** Called with each check as soon as it is done, to show progress. */
  readonly onCheck?: (check: DoctorCheck) => void;
}

const NOBODY = { uid: 65534, gid: 65534 };

/**
 * Checks everything that a run needs. Never throws for a problem: each problem is a check in the report. Changes nothing, except that it removes what
 * killed supervisors left in the engine.
 */
export async function runDoctor(options: DoctorOptions): Promise<DoctorReport> {
  const checks: DoctorCheck[] = [];
  const add = (check: DoctorCheck): void => {
    checks.push(check);
    options.onCheck?.(check);
  };
  add(ok('node', `Node ${process.versions.node} at ${process.execPath}`));
  for (const check of options.startChecks ?? []) add(check);
  add(checkCatalogue(Date.now()));
  add(await checkSpace(options.user.stateHome));
  for (const check of await unwritable(options.user)) add(check);
  for (const check of await projectVersions(options)) add(check);

  const state = await detectEngine(options.env, options.machine.system);
  const paths = pathsInUse(options, state.kind === 'ready' ? state.engine : null);
  if (state.kind !== 'ready') {
    add(checkEngineState(state));
    return { paths, engine: null, images: [], checks };
  }
  const facts = await readEngine(state.engine);
  add(checkEngine(facts));

  for (const check of await removedOrphans(options, { socketPath: state.engine.socketPath, apiVersion: facts.api }))
    add(check);
  const images = await imageStates(options, state.engine, add);
  for (const status of images) add(checkImage(status, process.platform === 'linux'));

  for (const check of await projectImage(options, state.engine)) add(check);

  const node = images.find(({ name }) => name === 'node');
  if (node === undefined || node.kind === 'missing') {
    add(
      problem(
        'warn',
        'protection',
        'The protections could not be tried',
        'there is no image to try them in',
        'run: fluffy doctor --fix',
      ),
    );
  } else {
    const seccomp = await readFile(join(options.repoRoot, 'seccomp/standard.json'), 'utf8');
    const common = { engine: state.engine, image: node.id, seccomp };
    const owner = options.owner.uid === 0 ? NOBODY : options.owner;
    for (const check of await tried(() => probeSandbox({ ...common, user: `${owner.uid}:${owner.gid}` }))) add(check);
    add(await probeOverlay({ ...common, owner, stateHome: options.user.stateHome }));
  }
  return { paths, engine: facts, images: images.map(summary), checks };
}

async function removedOrphans({ user }: DoctorOptions, engine: EngineAddress): Promise<DoctorCheck[]> {
  try {
    const sweep = { engine: createEngineClient(engine), stateHome: user.stateHome, ownProject: null };
    const count = await sweepOrphans(sweep);
    return count === 0
      ? []
      : [ok('orphans', `Removed ${count} containers and volumes of supervisors that were killed`)];
  } catch (error) {
    return [problem('warn', 'orphans', 'What killed supervisors left could not be removed', messageOf(error), '')];
  }
}

async function projectImage(options: DoctorOptions, engine: Engine): Promise<readonly DoctorCheck[]> {
  const { chosenImage: choice, project, owner, user, repoRoot } = options;
  if (project === null) return [];
  if (choice === undefined || choice === null) return offeredImage(project.root);
  const place = { engine, stateHome: user.stateHome, repoRoot, onProgress: () => undefined };
  return checkProjectImage(choice, { ...place, projectRoot: project.root, ...owner });
}

async function projectVersions({ project, chosenImage: choice, user, env }: DoctorOptions): Promise<DoctorCheck[]> {
  if (project === null || (choice !== undefined && choice !== null)) return [];
  const { stateHome } = user;
  const projectRoot = project.root;
  const { nearest } = findTests(projectRoot, '');
  const image = await sandboxNode(stateHome);
  const node = runsInNode(nearest) ? await otherNode({ projectRoot, cwd: '', image, env }) : null;
  const python = runsInPython(nearest) ? await pythonNote({ projectRoot, env, stateHome }) : null;
  return [...versionCheck('node.project', node), ...versionCheck('python.project', python)];
}

function versionCheck(id: string, note: ToolchainNote | null): DoctorCheck[] {
  if (note === null) return [];
  return [note.level === 'info' ? ok(id, note.what) : problem('warn', id, note.what, note.why, note.fix)];
}

async function imageStates(
  { user, repoRoot }: DoctorOptions,
  engine: Engine,
  add: (check: DoctorCheck) => void,
): Promise<readonly ImageStatus[]> {
  try {
    return await checkImages({ engine, stateHome: user.stateHome, repoRoot });
  } catch (error) {
    add(problem('error', 'image', 'The images could not be checked', messageOf(error), 'run: fluffy doctor --fix'));
    return [];
  }
}

async function tried(probe: () => Promise<DoctorCheck[]>): Promise<DoctorCheck[]> {
  try {
    return await probe();
  } catch (error) {
    return [
      problem('error', 'protection', 'A sandbox could not be tried', messageOf(error), 'run: fluffy doctor --fix'),
    ];
  }
}

function summary(status: ImageStatus): DoctorReport['images'][number] {
  return { name: status.name, state: status.kind, id: status.kind === 'missing' ? null : status.id };
}

/** Every place a run reads or writes outside the project. */
function pathsInUse(
  { user, project, runtimeRoot, repoRoot }: DoctorOptions,
  engine: Engine | null,
): DoctorReport['paths'] {
  return {
    config: user.configFile,
    keys: user.keys,
    state: user.stateHome,
    images: join(user.stateHome, 'images.json'),
    project: project?.root ?? null,
    project_state: project === null ? null : join(project.host, '..'),
    database: project?.database ?? null,
    sockets: runtimeRoot,
    engine_socket: engine?.socketPath ?? null,
    installation: repoRoot,
  };
}
