import { resolve } from 'node:path';
import { userDirs } from '../../../contracts/host-layout.ts';
import type { ProjectDirs, UserDirs } from '../../../contracts/host-layout.ts';
import { trustedPolicies } from '../../config/trusted-policies.ts';
import type { PolicySource } from '../../config/policy/policy-source.ts';
import { locationsInside } from '../../locations-inside.ts';
import { REPOSITORY_ROOT } from '../../open-project.ts';
import type { Environment } from '../../open-project.ts';
import { findRepository } from '../../project/find-repository.ts';
import { findState } from '../../project-state/find-state.ts';
import { usage } from '../../usage-error.ts';

/** The root of the project that contains `where`; null outside of any project, where only the shipped policy counts. */
export async function projectRootOf(where: string | undefined): Promise<string | null> {
  const found = await findRepository(resolve(where ?? '.')).catch(() => null);
  return found !== null && found.kind !== 'problem' ? found.root : null;
}

/** The policy of a file alone; without a file, the project's policy in force. */
export async function policySource(
  file: string | undefined,
  projectRoot: string | null,
  env: Environment,
): Promise<PolicySource> {
  const user = userDirs(env);
  const inside =
    projectRoot === null
      ? {}
      : { locations: await locationsInside((await findState(user, projectRoot)).dirs, user, REPOSITORY_ROOT) };
  if (file !== undefined) return { kind: 'file', file: resolve(file), ...inside };
  return {
    kind: 'project',
    installRoot: REPOSITORY_ROOT,
    projectRoot,
    trustedHashes: new Set(projectRoot === null ? [] : await trustedPolicies(user.trust, projectRoot)),
    ...inside,
  };
}

/** Throws FluffyError `usage` outside of a project. */
export async function ownProject(
  action: string,
  where: string | undefined,
  env: Environment,
): Promise<{ readonly user: UserDirs; readonly dirs: ProjectDirs }> {
  const projectRoot = await projectRootOf(where);
  if (projectRoot === null) throw usage(`config policy ${action} needs a project`);
  const user = userDirs(env);
  return { user, dirs: (await findState(user, projectRoot)).dirs };
}
