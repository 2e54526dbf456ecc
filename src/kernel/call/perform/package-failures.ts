import type { PackageManagerName, PackageReport } from '../../../contracts/sandbox/package-managers.ts';
import { MANAGERS } from '../../packages/registry.ts';
import { assertNever } from '../../../lib/assert-never.ts';

/** Pure: what went wrong and what to do about it. `message` is the package manager's own, or the egress gate's. */
export function explainFailure(
  manager: PackageManagerName,
  { failure, message }: Extract<PackageReport, { kind: 'failed' }>,
): string {
  const program = MANAGERS[manager].program ?? manager;
  const said = message.trim().replace(/\.$/, '');
  switch (failure) {
    case 'not_found':
      return `The registry has no such package or version: ${said}. Look at the name and at what is said of it; do not guess another.`;
    case 'integrity':
      return `An archive is not the one whose digest lockfile and registry give (integrity): ${said}. Nothing was installed. Tell the user: the registry, or the project's lockfile, is wrong.`;
    case 'impostor':
      return `The lockfile names one package and brings another: ${said}. Nothing was installed, and no script was run. Do not correct the lockfile by hand: tell the user, or have ${program} write it again.`;
    case 'unreachable':
      return `The registry cannot be reached: ${said}. Without it no package can be added. Ask the user to look at the network and at the registry that ${program} is configured for, or go on without the package.`;
    case 'refused':
      return `The egress gate refused a connection: ${said}. Packages come only from the registry that the user's own configuration of ${program} names, at a public or private address. Where the user's own DNS gives reserved addresses, the user can set dependencies.reserved_addresses. Ask the user, or go on without the package.`;
    case 'unsafe_archive':
      return `A package's archive was refused: ${said}. Nothing was installed. Use another package, or ask the user.`;
    case 'out_of_step':
      return `Manifest and lockfile do not agree: ${said}. ${MANAGERS[manager].outOfStep}`;
    case 'other':
      return `${program} failed: ${said}`;
    default:
      return assertNever(failure);
  }
}
