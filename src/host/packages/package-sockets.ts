import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { HostRule } from '../egress-gate/index.ts';
import type { ServiceSockets } from '../../contracts/ports/host-services.ts';
import { extraCertificates } from '../secrets/extra-ca.ts';
import { openGrantedSockets } from '../secrets/provider-sockets.ts';
import type { ServiceSocketEvent } from '../secrets/provider-sockets.ts';
import { cargo } from './cargo.ts';
import { go } from './go.ts';
import { npm } from './npm.ts';
import { pnpm, yarn } from './javascript-programs.ts';
import { pip } from './pip.ts';
import { pdm, pylock, pyproject, uv } from './python-project.ts';
import type { Environment, HostPackageManager } from './package-manager.ts';

export const HOST_PACKAGE_MANAGERS: Readonly<Record<PackageManagerName, HostPackageManager>> = {
  npm,
  pnpm,
  yarn,
  pip,
  pyproject,
  uv,
  pdm,
  pylock,
  cargo,
  go,
};

export interface PackageSocketsOptions {
  /** Exists on the host only, one for each sandbox. It must exist. */
  readonly directory: string;
  readonly manager: PackageManagerName;
  readonly installScripts: readonly string[];
  /** Further hosts that the user's configuration allows, if the registry stores files elsewhere. */
  readonly more?: readonly HostRule[];
  /** The user's DNS returns reserved addresses in place of the real ones. */
  readonly reservedAddresses?: boolean;
  readonly env: Environment;
  readonly log: (event: ServiceSocketEvent) => void;
}

/** Opens access to the registry of the user's own configuration, and passes its address on. Rejects if there is none. */
export async function openPackageSockets(options: PackageSocketsOptions): Promise<ServiceSockets> {
  const { directory, manager, installScripts, more = [], reservedAddresses = false, env, log } = options;
  const { grant, hosts, certificates } = await HOST_PACKAGE_MANAGERS[manager].settings(env);
  const extra = await extraCertificates(env);
  const handed = { manager, ...grant, install_scripts: [...installScripts], extra_ca: [...extra, ...certificates] };
  const own = reservedAddresses ? hosts.map((rule): HostRule => ({ ...rule, reach: 'reserved' })) : hosts;
  return openGrantedSockets(directory, [...own, ...more], handed, {
    egress: log,
    handedOver: () => log({ kind: 'registry-handed-over', manager }),
  });
}
