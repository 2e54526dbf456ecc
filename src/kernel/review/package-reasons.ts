import { PACKAGE_MANAGERS } from '../../contracts/sandbox/package-managers.ts';
import type { AddedPackageFacts } from '../../contracts/session/added-package.ts';
import { lookAlike, lookAlikeWarning } from '../../lib/packages/well-known.ts';
import { formatAge } from '../../lib/text/format-age.ts';

const MAX_SHOWN = 10;

/** Pure: what a person should know of the packages that come into the project with this change, the requested ones first. */
export function packageReasons(
  packages: readonly AddedPackageFacts[],
  changedPaths: readonly string[],
  nowMs: number,
): string[] {
  const coming = packages
    .filter(({ manager }) => changedPaths.includes(PACKAGE_MANAGERS[manager].lockfile))
    .sort((a, b) => Number(b.requested) - Number(a.requested));
  const more = coming.length - MAX_SHOWN;
  return [
    ...coming.slice(0, MAX_SHOWN).map((each) => describePackage(each, nowMs)),
    ...(more > 0 ? [`${more} more packages come with them; the lockfile names each.`] : []),
    ...coming.flatMap(({ manager, name }) => {
      const known = lookAlike(manager, name);
      return known === null ? [] : [lookAlikeWarning(name, known)];
    }),
  ];
}

function describePackage(each: AddedPackageFacts, nowMs: number): string {
  const { name, version, requested, published_ms: publishedMs, maintainers, licence, install_script: script } = each;
  const facts = [
    publishedMs === null ? 'age unknown' : `published ${formatAge(nowMs - publishedMs)}`,
    maintainers === null ? 'maintainers unknown' : `${maintainers} maintainer${maintainers === 1 ? '' : 's'}`,
    licence === null ? 'licence unknown' : `licence ${licence}`,
    ...(script === 'none' ? [] : [script === 'run' ? 'its install script was run' : 'its install script was not run']),
  ];
  return `New ${requested ? 'dependency' : 'package'} ${name} ${version}: ${facts.join(', ')}.`;
}
