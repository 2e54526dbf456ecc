import { canonicalJson } from '../../lib/canonical-json.ts';
import { PLAIN_NAME } from '../../contracts/sandbox/package-managers.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { newPackages, readNpmLock } from '../../lib/packages/npm-lock.ts';
import type { LockedPackage } from '../../lib/packages/npm-lock.ts';
import { refused } from './manager.ts';
import type { PackageManager } from './manager.ts';
import { parseJson } from '../../lib/parse-json.ts';

const SECTIONS = ['dependencies', 'devDependencies'] as const;
const LISTS = [...SECTIONS, 'optionalDependencies', 'peerDependencies'] as const;
const NAMED = { max: 5, separator: ', ' } as const;

export const npm: PackageManager = {
  name: 'npm',
  outOfStep: 'Ask the user to run npm install.',

  nameOf: (requested) => requested,

  named: ({ manifest, lockfile }) => {
    const lock = lockfile === null ? null : readNpmLock(lockfile);
    const lists = objectOf(manifest) ?? {};
    const listOf = ({ name, place }: LockedPackage): string | null =>
      place.lastIndexOf('node_modules/') > 0
        ? null
        : (LISTS.find((list) => Object.hasOwn(objectIn(lists[list]), place.slice('node_modules/'.length) || name)) ??
          null);
    const packages = lock?.kind === 'lock' ? lock.packages : [];
    return {
      packages: packages.map((each) => ({
        name: each.name,
        version: each.version,
        hasInstallScript: each.hasInstallScript,
        listed: listOf(each),
        digest: each.integrity,
      })),
      isComplete: true,
    };
  },

  whyNot: ({ manifest, lockfile }, request) => {
    if (request.kind === 'add' && !PLAIN_NAME.test(request.name))
      return `${request.name} is no name of a package of npm.`;
    const parsed = objectOf(manifest);
    if (parsed === null) return 'package.json is no JSON object. Correct it first.';
    if (parsed['workspaces'] !== undefined)
      return 'the project has npm workspaces, whose packages this version cannot install. Ask the user to run npm install, and go on then.';
    if (lockfile === null)
      return request.kind === 'add'
        ? null
        : 'there is no package-lock.json, which says what to install. Ask the user to run npm install once, or call deps.add.';
    const lock = readNpmLock(lockfile);
    return lock.kind === 'lock'
      ? null
      : `package-lock.json cannot be read: ${lock.why}. Ask the user to run npm install.`;
  },

  judge: (before, after, request) => {
    const lock = readNpmLock(after.lockfile);
    if (lock.kind === 'unreadable') return refused(`package-lock.json cannot be read: ${lock.why}`);
    const unsafe = whyUntraceable(lock.packages);
    if (unsafe !== null) return refused(unsafe);
    const earlier = before.lockfile === null ? null : readNpmLock(before.lockfile);
    const added = newPackages(earlier?.kind === 'lock' ? earlier.packages : [], lock.packages);
    switch (request.kind) {
      case 'install':
        if (after.lockfile !== before.lockfile || after.manifest !== before.manifest)
          return refused('npm changed package.json or package-lock.json although it was to install what they say');
        break;
      case 'add': {
        if (!onlyDependencyChanged(before.manifest, after.manifest, request.name))
          return refused(`package.json was changed beyond the dependency ${request.name}`);
        if (!lock.packages.some(({ place }) => place === `node_modules/${request.name}`))
          return refused(`package-lock.json has no ${request.name}`);
      }
    }
    return {
      kind: 'good',
      added,
      installed: lock.packages.length,
      withScripts: [
        ...new Set([
          ...lock.packages.flatMap(({ name, hasInstallScript }) => (hasInstallScript ? [name] : [])),
          ...after.scripts_skipped,
        ]),
      ],
    };
  },
};

/** Every package comes from a registry, and its content is what the lockfile says: otherwise a later install could bring another. */
function whyUntraceable(packages: readonly LockedPackage[]): string | null {
  const named = (found: readonly LockedPackage[]): string =>
    listFirst(
      found.map(({ name }) => name),
      NAMED,
    );
  const links = packages.filter(({ isLink }) => isLink);
  if (links.length > 0) return `${named(links)} is a directory in place of a package of the registry`;
  const foreign = packages.filter(({ resolved }) => resolved !== null && !/^https?:\/\//.test(resolved));
  if (foreign.length > 0) return `${named(foreign)} does not come from a registry (${foreign[0]?.resolved ?? ''})`;
  const places = new Set(packages.map(({ place }) => place));
  const unchecked = packages.filter(
    ({ integrity, isBundled, resolved, place }) =>
      integrity === null && !(isBundled && resolved === null && isInside(place, places)),
  );
  if (unchecked.length > 0) return `package-lock.json has no integrity of ${named(unchecked)}`;
  return null;
}

/** Only what came in another package's archive needs no digest of its own. */
function isInside(place: string, places: ReadonlySet<string>): boolean {
  return places.has(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))));
}

/** Whether the two manifests say the same but for one dependency, wherever it is listed. */
function onlyDependencyChanged(before: string, after: string, name: string): boolean {
  const [one, other] = [without(objectOf(before), name), without(objectOf(after), name)];
  return one !== null && other !== null && canonicalJson(one) === canonicalJson(other);
}

function without(manifest: Readonly<Record<string, unknown>> | null, name: string): object | null {
  if (manifest === null) return null;
  const rest: Record<string, unknown> = { ...manifest };
  for (const section of SECTIONS) {
    const listed = rest[section];
    if (typeof listed !== 'object' || listed === null) continue;
    const others = Object.entries(listed).filter(([each]) => each !== name);
    if (others.length === 0) delete rest[section];
    else rest[section] = Object.fromEntries(others);
  }
  return rest;
}

function objectIn(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function objectOf(text: string): Record<string, unknown> | null {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
