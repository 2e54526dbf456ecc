import type { PackageGrant, PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { HostRule } from '../egress-gate/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the user's configuration of one package manager says. */
export interface RegistrySettings {
  readonly grant: Pick<PackageGrant, 'program' | 'registry' | 'settings'> & Partial<Pick<PackageGrant, 'programs'>>;
  /** The registries, and no other host. */
  readonly hosts: readonly HostRule[];
  /** Certificate authorities that it trusts by its own configuration, as PEM. */
  readonly certificates: readonly string[];
}

/** What the host knows of one package manager. */
export interface HostPackageManager {
  readonly name: PackageManagerName;
  /** Directories that hold its program, for the sandbox; null: this host has none that can be used. */
  find(env: Environment): Promise<readonly string[] | null>;
  /**
   * Asked again for each sandbox, outside of every project, so that no project has a say in it. Rejects where no registry can be reached.
   */
  settings(env: Environment): Promise<RegistrySettings>;
}
