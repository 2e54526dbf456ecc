import type { ProjectPath } from '../../contracts/ids.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import { PACKAGE_MANAGERS, PACKAGE_MANAGER_NAMES } from '../../contracts/sandbox/package-managers.ts';
import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { AddedPackageFacts } from '../../contracts/session/added-package.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import { unlikeBefore } from '../packages/manager.ts';
import type { PackageTexts, UnlikePackage } from '../packages/manager.ts';
import { MANAGERS } from '../packages/registry.ts';
import type { Services } from '../services.ts';
import { memberManifests, settingFiles } from './member-manifests.ts';

const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** A package of the change as the card shows it. */
export interface IncomingPackage extends UnlikePackage {
  readonly manager: PackageManagerName;
  /**
   * Registry facts from its installation here; null if it was not installed here, so nothing was compared with the
   * registry.
   */
  readonly facts: AddedPackageFacts | null;
}

/**
 * The packages that manifest and lockfile name and HEAD's do not, with the known facts of each, whichever program wrote
 * the files.
 */
export async function incomingPackages(
  { commits }: Pick<Services, 'commits'>,
  workspace: Workspace,
  changedPaths: readonly string[],
  learned: readonly AddedPackageFacts[],
): Promise<IncomingPackage[]> {
  const incoming: IncomingPackage[] = [];
  for (const manager of PACKAGE_MANAGER_NAMES) {
    const { manifest, lockfile } = PACKAGE_MANAGERS[manager];
    if (!changedPaths.includes(manifest) && !changedPaths.includes(lockfile)) continue;
    const before = await textsOf(manager, (path) => commits.textOnHead(path));
    const own = await textsOf(manager, (path) => textIn(workspace, path));
    const settings = await settingFiles(workspace, manager);
    const now = { ...own, members: (await memberManifests(workspace, manager, { ...own, settings })) ?? {} };
    const { packages, isComplete } = MANAGERS[manager].named(now);
    const known = learned.filter((each) => each.manager === manager);
    for (const each of unlikeBefore(MANAGERS[manager].named(before).packages, packages)) {
      const facts =
        known.find(({ name, version }) => name === each.name && (!isComplete || version === each.version)) ?? null;
      // A package that is only listed can have a range in place of its version.
      incoming.push({ ...each, version: facts?.version ?? each.version, manager, facts });
    }
    if (isComplete) continue;
    // The lockfile names only the requested packages; what was installed with them is known from the installation.
    for (const facts of known.filter(({ name }) => !packages.some((each) => each.name === name)))
      incoming.push({
        ...facts,
        hasInstallScript: facts.install_script !== 'none',
        listed: null,
        digest: null,
        unlike: { kind: 'new' },
        facts,
      });
  }
  return incoming;
}

/** Differences in the changed manifests beside packages, as sentences for people. */
export async function manifestReasons(
  { commits }: Pick<Services, 'commits'>,
  workspace: Pick<Workspace, 'read'>,
  changedPaths: readonly string[],
): Promise<string[]> {
  const reasons: string[] = [];
  for (const manager of PACKAGE_MANAGER_NAMES) {
    const { changedBeside } = MANAGERS[manager];
    const path = PACKAGE_MANAGERS[manager].manifest as ProjectPath;
    if (changedBeside === undefined || !changedPaths.includes(path)) continue;
    const [before, now] = [await commits.textOnHead(path), await textIn(workspace, path)];
    if (before !== null && now !== null) reasons.push(...changedBeside(before, now));
  }
  return reasons;
}

async function textsOf(
  manager: PackageManagerName,
  read: (path: ProjectPath) => Promise<string | null>,
): Promise<PackageTexts> {
  const { manifest, lockfile } = PACKAGE_MANAGERS[manager];
  return {
    manifest: (await read(manifest as ProjectPath)) ?? '',
    lockfile: await read(lockfile as ProjectPath),
  };
}

async function textIn(workspace: Pick<Workspace, 'read'>, path: ProjectPath): Promise<string | null> {
  const read = await workspace.read(path, MAX_FILE_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
