import type { PackageManagerName, PackageReport } from '../../../contracts/sandbox/package-managers.ts';
import { MANAGERS } from '../../packages/registry.ts';
import { assertNever } from '../../../lib/assert-never.ts';

/** What went wrong and what to do about it. `message` comes from the package manager or from the egress gate. Pure. */
export function explainFailure(
  manager: PackageManagerName,
  { failure, message }: Extract<PackageReport, { kind: 'failed' }>,
): string {
  const program = MANAGERS[manager].program ?? manager;
  const said = message.trim().replace(/\.$/, '');
  switch (failure) {
    case 'not_found':
      return `The registry has no such package or version: ${said}. Check the name and the message; do not guess another name.`;
    case 'integrity':
      return `An archive does not have the digest of lockfile and registry (integrity): ${said}. Nothing was installed. Inform the user: the registry or the project's lockfile is wrong.`;
    case 'impostor':
      return `The lockfile names one package, and its archive is another: ${said}. Nothing was installed, and no script was run. Do not edit the lockfile: inform the user, or let ${program} write it again.`;
    case 'unreachable':
      return `The registry cannot be reached: ${said}. Without it no package can be added. Ask the user to check the network and the registry in the configuration of ${program}, or continue without the package.`;
    case 'refused':
      return `The egress gate refused a connection: ${said}. Packages come only from the registry that the user's own configuration of ${program} names, at a public or private address. If the user's DNS returns reserved addresses, the user can set dependencies.reserved_addresses. Ask the user, or continue without the package.`;
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
