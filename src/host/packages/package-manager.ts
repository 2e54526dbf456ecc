import type { PackageGrant, PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { HostRule } from '../egress-gate/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's configuration of one package manager. */
export interface RegistrySettings {
  readonly grant: Pick<PackageGrant, 'program' | 'registry' | 'settings'> & Partial<Pick<PackageGrant, 'programs'>>;
  /** The registries only. */
  readonly hosts: readonly HostRule[];
  /** Certificate authorities that its own configuration trusts, as PEM. */
  readonly certificates: readonly string[];
}

/** What the host knows about one package manager. */
export interface HostPackageManager {
  readonly name: PackageManagerName;
  /** Directories of its program, for the sandbox; null if this host has none that can be used. */
  find(env: Environment): Promise<readonly string[] | null>;
  /** Read again for each sandbox, outside of every project, so that no project can influence it. Rejects if no registry is configured. */
  settings(env: Environment): Promise<RegistrySettings>;
}
