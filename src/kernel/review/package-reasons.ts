import { assertNever } from '../../lib/assert-never.ts';
import { lookAlike, lookAlikeWarning } from '../../lib/packages/well-known.ts';
import { formatAge } from '../../lib/text/format-age.ts';
import type { IncomingPackage } from './incoming-packages.ts';
import { plural } from '../../lib/text/plural.ts';

const MAX_SHOWN = 10;

/**
 * What a person should know about the packages that this change adds; packages named in the manifest come first. Pure.
 */
export function packageReasons(packages: readonly IncomingPackage[], nowMs: number): string[] {
  const coming = packages.toSorted((a, b) => Number(b.listed !== null) - Number(a.listed !== null));
  const more = coming.length - MAX_SHOWN;
  return [
    ...coming.slice(0, MAX_SHOWN).map((each) => describePackage(each, nowMs)),
    ...(more > 0 ? [`${more} more packages come with them; the lockfile names each.`] : []),
    ...coming.flatMap(({ manager, name, unlike }) => {
      const known = unlike.kind === 'new' ? lookAlike(manager, name) : null;
      return known === null ? [] : [lookAlikeWarning(name, known)];
    }),
  ];
}

function describePackage(each: IncomingPackage, nowMs: number): string {
  const { name, version, listed, unlike } = each;
  switch (unlike.kind) {
    case 'new':
      return `New ${listed === null ? 'package' : 'dependency'} ${name} ${version}: ${factsOf(each, nowMs)}.`;
    case 'another-archive':
      return `Package ${name} ${version} has another digest in the lockfile than on HEAD: ${factsOf(each, nowMs)}.`;
    case 'listed-elsewhere':
      return `Dependency ${name} moves from ${unlike.before} to ${listed ?? 'nowhere'}.`;
    default:
      return assertNever(unlike);
  }
}

function factsOf({ facts, hasInstallScript }: IncomingPackage, nowMs: number): string {
  if (facts === null)
    return `it was not installed here, so nothing about it was compared with the registry${hasInstallScript ? '; it has an install script' : ''}`;
  const { published_ms: publishedMs, maintainers, licence, deprecated, install_script: script } = facts;
  return [
    publishedMs === null ? 'age unknown' : `published ${formatAge(nowMs - publishedMs)}`,
    maintainers === null ? 'maintainers unknown' : plural(maintainers, 'maintainer'),
    licence === null ? 'licence unknown' : `licence ${licence}`,
    ...(script === 'none' ? [] : [script === 'run' ? 'its install script was run' : 'its install script was not run']),
    ...(deprecated === undefined ? [] : [`deprecated by its authors: ${deprecated}`]),
  ].join(', ');
}
