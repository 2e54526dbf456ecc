import { PLAIN_NAME } from '../../contracts/sandbox/package-managers.ts';
import type { MemberManifests } from '../../contracts/sandbox/package-managers.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { newPackages, readNpmLock } from '../../lib/packages/npm-lock.ts';
import type { LockedPackage } from '../../lib/packages/npm-lock.ts';
import { refused } from './manager.ts';
import type { PackageManager } from './manager.ts';
import { LISTS, TOP, changedManifests, objectIn, objectOf, whyBeyond, workspacesOf } from './package-json.ts';

const NAMED = { max: 5, separator: ', ' } as const;

export const npm: PackageManager = {
  name: 'npm',
  outOfStep: 'Ask the user to run npm install.',

  nameOf: (requested) => requested,

  memberGlobs: ({ manifest }) => workspacesOf(manifest),

  named: ({ manifest, lockfile, members }) => {
    const lock = lockfile === null ? null : readNpmLock(lockfile);
    const packages = lock?.kind === 'lock' ? lock.packages.filter(({ isLink }) => !isLink) : [];
    const lists = { '': manifest, ...members };
    return {
      packages: packages.map((each) => ({
        name: each.name,
        version: each.version,
        hasInstallScript: each.hasInstallScript,
        listed: listOf(each, lists),
        digest: each.integrity,
      })),
      isComplete: true,
    };
  },

  whyNot: ({ manifest, lockfile }, request) => {
    if (request.kind === 'add' && !PLAIN_NAME.test(request.name))
      return `${request.name} is not a valid npm package name.`;
    const parsed = objectOf(manifest);
    if (parsed === null) return 'package.json is no JSON object. Correct it first.';
    if (lockfile === null)
      return request.kind === 'add'
        ? null
        : 'there is no package-lock.json, so it is not known what to install. Ask the user to run npm install once, or call deps.add.';
    const lock = readNpmLock(lockfile);
    return lock.kind === 'lock'
      ? null
      : `package-lock.json cannot be read: ${lock.why}. Ask the user to run npm install.`;
  },

  judge: (before, after, request) => {
    const lock = readNpmLock(after.lockfile);
    if (lock.kind === 'unreadable') return refused(`package-lock.json cannot be read: ${lock.why}`);
    const packages = lock.packages.filter(({ isLink }) => !isLink);
    const earlier = before.lockfile === null ? null : readNpmLock(before.lockfile);
    const old = earlier?.kind === 'lock' ? earlier.packages : [];
    const unsafe = whyUntraceable(packages, old) ?? whyNoMember(lock.packages, before.members);
    if (unsafe !== null) return refused(unsafe);
    const added = newPackages(old, packages);
    switch (request.kind) {
      case 'install':
        if (after.lockfile !== before.lockfile || changedManifests(before, after).length > 0)
          return refused('npm changed package.json or package-lock.json although it should only install their content');
        break;
      case 'add': {
        const { name, directory = TOP } = request;
        const beyond = whyBeyond(before, after, request);
        if (beyond !== null) return refused(beyond);
        const place = `node_modules/${name}`;
        if (!packages.some((each) => each.place === place || each.place === `${directory}/${place}`))
          return refused(`package-lock.json has no ${request.name}`);
      }
    }
    return {
      kind: 'good',
      added,
      installed: packages.length,
      withScripts: [
        ...new Set([
          ...packages.flatMap(({ name, hasInstallScript }) => (hasInstallScript ? [name] : [])),
          ...after.scripts_skipped,
        ]),
      ],
    };
  },
};

/**
 * Why a package does not come from a registry, or has no digest in the lockfile; null if all are fine. Without both, a
 * later install could bring other content. Some lockfiles of npm itself leave out address and digest of packages: these
 * come from the user's registry by name and version. A new package must have both.
 */
function whyUntraceable(packages: readonly LockedPackage[], before: readonly LockedPackage[]): string | null {
  const named = (found: readonly LockedPackage[]): string =>
    listFirst(
      found.map(({ name }) => name),
      NAMED,
    );
  const foreign = packages.filter(({ resolved }) => resolved !== null && !/^https?:\/\//.test(resolved));
  if (foreign.length > 0) return `${named(foreign)} does not come from a registry (${foreign[0]?.resolved ?? ''})`;
  const places = new Set(packages.map(({ place }) => place));
  const isBare = ({ integrity, resolved }: LockedPackage): boolean => integrity === null && resolved === null;
  const bare = new Set(before.filter(isBare).map(({ place, version }) => `${place}@${version}`));
  const unchecked = packages.filter(
    ({ integrity, isBundled, resolved, place, version }) =>
      integrity === null &&
      !(resolved === null && ((isBundled && isInside(place, places)) || bare.has(`${place}@${version}`))),
  );
  if (unchecked.length > 0) return `package-lock.json has no integrity of ${named(unchecked)}`;
  return null;
}

/**
 * Why a link does not lead to the workspace member of its name; null if all do. Another link would put a directory in
 * place of a registry package.
 */
function whyNoMember(packages: readonly LockedPackage[], members: MemberManifests = {}): string | null {
  const stray = packages.find(({ isLink, place, name, resolved }) => {
    const manifest = objectOf(members[resolved ?? ''] ?? '');
    return isLink && (manifest === null || place !== `node_modules/${name}` || (manifest['name'] ?? name) !== name);
  });
  return stray === undefined ? null : `${stray.name} is a directory in place of a package of the registry`;
}

/**
 * The manifest that lists a package: for a package below a member, the member's manifest; else the project's own first.
 * null if another package required it.
 */
function listOf({ place }: LockedPackage, manifests: MemberManifests): string | null {
  const at = place.indexOf('node_modules/');
  const name = place.slice(at + 'node_modules/'.length);
  const own = at === 0 ? Object.values(manifests) : [manifests[place.slice(0, at - 1)] ?? ''];
  for (const lists of own.map((text) => objectOf(text) ?? {})) {
    const list = LISTS.find((each) => Object.hasOwn(objectIn(lists[each]), name));
    if (list !== undefined) return list;
  }
  return null;
}

/** Only a package that came inside another package's archive needs no digest. */
function isInside(place: string, places: ReadonlySet<string>): boolean {
  return places.has(place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))));
}
