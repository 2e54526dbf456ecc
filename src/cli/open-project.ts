import { realpath } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userDirs } from '../contracts/host-layout.ts';
import type { Output } from './output/output.ts';
import type { ProjectDirs, UserDirs } from '../contracts/host-layout.ts';
import type { ImageChoice } from '../host/images/project/project-image.ts';
import { escapeTerminal } from '../lib/text/escape-terminal.ts';
import { loadProjectConfig, loadUserConfig, userConfigFile } from './config/load-config.ts';
import { sandboxLimits } from './config/sandbox-limits.ts';
import { testNetworkSettings } from './config/test-network.ts';
import type { ProjectConfig, UserConfig } from './config/config-schema.ts';
import { detectProject } from './project/detect-project.ts';
import type { DetectOptions, Project } from './project/detect-project.ts';
import { findRepository } from './project/find-repository.ts';
import { projectError } from './project/project-problem.ts';
import { findState } from './project-state/find-state.ts';
import { DEFAULT_HOST_SETTINGS } from './supervisor/supervisor-options.ts';
import type { HostSettings } from './supervisor/supervisor-options.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenProject {
  readonly project: Project;
  readonly user: UserDirs;
  readonly dirs: ProjectDirs;
  readonly userConfig: UserConfig;
  readonly projectConfig: ProjectConfig;
}

/** The directory that contains `dist/` or `src/cli/`. */
export const REPOSITORY_ROOT = repositoryRoot(dirname(fileURLToPath(import.meta.url)));

function repositoryRoot(here: string): string {
  const parts = here.split('/');
  const dist = parts.lastIndexOf('dist');
  const src = parts.lastIndexOf('src');
  const cut = Math.max(dist, src);
  return cut === -1 ? here : parts.slice(0, cut).join('/');
}

/** Finds the project and reads both configurations. Throws FluffyError, exit 2. Runs nothing of the project. */
export async function openProject(
  where: string | undefined,
  allowRoot: boolean,
  env: Environment,
  options: Pick<DetectOptions, 'commitsNothing'> = {},
): Promise<OpenProject> {
  const found = await detectProject(resolve(where ?? '.'), env, { allowRoot, ...options });
  if (found.kind === 'problem') throw found.error;
  const user = userDirs(env);
  const { project } = found;
  const { dirs } = await findState(user, project.root);
  const userConfig = await loadUserConfig(userConfigFile(env));
  const projectConfig = await loadProjectConfig(project.root);
  return { project, user, dirs, userConfig, projectConfig };
}

/**
 * Finds only the project's state, for commands that read fluffy's own files and do not need the repository. A state that was at another path is named
 * on `output`. Throws FluffyError, exit 2.
 */
export async function locateProject(
  where: string | undefined,
  { env, output }: { readonly env: Environment; readonly output?: Pick<Output, 'stderr'> },
): Promise<ProjectDirs> {
  const start = await realpath(resolve(where ?? '.')).catch(() => resolve(where ?? '.'));
  const found = await findRepository(start);
  if (found.kind === 'problem') throw projectError(found.problem, start);
  const { dirs, notice } = await findState(userDirs(env), found.root);
  if (notice !== null) output?.stderr(`${escapeTerminal(notice)}\n`);
  return dirs;
}

/** The image that the user names for a project; null: project code runs in fluffy's own images. */
export function imageOf({ sandbox }: UserConfig, projectRoot: string): ImageChoice | null {
  const found = sandbox.image?.find(({ project }) => project === projectRoot);
  return found === undefined ? null : { reference: found.image, id: found.id };
}

/** The part of the user's configuration that the host needs. */
export function hostSettings(config: UserConfig, projectRoot: string): HostSettings {
  const { kernel_memory, dependency_mounts } = config.sandbox;
  const image = imageOf(config, projectRoot);
  const machine = { processors: availableParallelism(), memoryBytes: totalmem() };
  return {
    ...DEFAULT_HOST_SETTINGS,
    providers: config.providers,
    dependency_mounts,
    network_groups: config.network_groups,
    ...testNetworkSettings(config, projectRoot),
    install_scripts: config.dependencies.install_scripts,
    ...(config.dependencies.reserved_addresses ? { reserved_addresses: true } : {}),
    sandbox_limits: sandboxLimits(config.sandbox, machine),
    ...(image === null ? {} : { image }),
    ...(kernel_memory === undefined ? {} : { kernel_memory_bytes: kernel_memory }),
  };
}
