import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import { PACKAGE_MANAGERS, PLAIN_NAME } from '../../contracts/sandbox/package-managers.ts';
import { newEntries } from '../../lib/packages/javascript-lock.ts';
import type { JavascriptLock, JavascriptLockOutcome, LockEntry } from '../../lib/packages/javascript-lock.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { refused } from './manager.ts';
import type { PackageManager, PackageTexts } from './manager.ts';
import { LISTS, changedManifests, manifestsOf, objectIn, objectOf, whyBeyond } from './package-json.ts';

const NAMED = { max: 5, separator: ', ' } as const;

interface LockedManager {
  readonly name: Extract<PackageManagerName, 'pnpm' | 'yarn'>;
  readLock(text: string): JavascriptLockOutcome;
  readonly memberGlobs: NonNullable<PackageManager['memberGlobs']>;
  /** Why nothing can be added although packages can be installed. */
  whyNotAdd(texts: PackageTexts): string | null;
}

/**
 * A manager of JavaScript packages whose lockfile lists each package once. The argument holds the differences between
 * the managers.
 */
export function lockedManager({ name, readLock, memberGlobs, whyNotAdd }: LockedManager): PackageManager {
  const { lockfile: file } = PACKAGE_MANAGERS[name];
  const program = `${name} install`;
  return {
    name,
    outOfStep: `Ask the user to run ${program}.`,
    nameOf: (requested) => requested,
    memberGlobs,

    named: (texts) => {
      const lock = texts.lockfile === null ? null : readLock(texts.lockfile);
      const packages = lock?.kind === 'lock' ? lock.packages : [];
      const lists = Object.values(manifestsOf(texts)).map((text) => objectOf(text) ?? {});
      return {
        packages: packages.map((each) => ({
          name: each.name,
          version: each.version,
          hasInstallScript: each.hasInstallScript,
          listed:
            LISTS.find((list) => lists.some((manifest) => Object.hasOwn(objectIn(manifest[list]), each.name))) ?? null,
          digest: each.digest,
        })),
        isComplete: true,
      };
    },

    whyNot: (texts, request) => {
      if (request.kind === 'add' && !PLAIN_NAME.test(request.name))
        return `${request.name} is not a valid npm package name.`;
      if (objectOf(texts.manifest) === null) return 'package.json is no JSON object. Correct it first.';
      const lock = readLock(texts.lockfile ?? '');
      if (lock.kind === 'unreadable') return `${file} cannot be read: ${lock.why}. Ask the user to run ${program}.`;
      const why = whyUnsafe(lock, texts, file);
      if (why !== null) return `${why}. Nothing was fetched. Ask the user to install the packages.`;
      return request.kind === 'add' ? whyNotAdd(texts) : null;
    },

    judge: (before, after, request) => {
      const lock = readLock(after.lockfile);
      if (lock.kind === 'unreadable') return refused(`${file} cannot be read: ${lock.why}`);
      const unsafe = whyUnsafe(lock, before, file);
      if (unsafe !== null) return refused(unsafe);
      switch (request.kind) {
        case 'install':
          if (after.lockfile !== before.lockfile || changedManifests(before, after).length > 0)
            return refused(`${name} changed package.json or ${file} although it should only install their content`);
          break;
        case 'add': {
          const beyond = whyBeyond(before, after, request);
          if (beyond !== null) return refused(beyond);
          if (!lock.packages.some((each) => each.name === request.name))
            return refused(`${file} has no ${request.name}`);
        }
      }
      const earlier = before.lockfile === null ? null : readLock(before.lockfile);
      const added = newEntries(earlier?.kind === 'lock' ? earlier.packages : [], lock.packages);
      const scripted = new Set([...namesWithScripts(lock.packages), ...after.scripts_skipped]);
      return {
        kind: 'good',
        added: added.map((each) => ({ ...each, hasInstallScript: scripted.has(each.name) })),
        installed: lock.packages.length,
        withScripts: [...scripted],
      };
    },
  };
}

function namesWithScripts(packages: readonly LockEntry[]): string[] {
  return packages.flatMap(({ name, hasInstallScript }) => (hasInstallScript ? [name] : []));
}

/**
 * Why the lockfile is not safe; null if every package comes from the registry with a checksum, and every link to a
 * directory leads to the workspace member of that name, or to the project itself if that has the name.
 */
function whyUnsafe(lock: JavascriptLock, { manifest, members }: PackageTexts, file: string): string | null {
  if (lock.unusable !== null) return lock.unusable;
  const foreign = lock.packages.find(({ origin }) => origin.kind === 'elsewhere');
  if (foreign?.origin.kind === 'elsewhere')
    return `${file} has ${foreign.name} from ${foreign.origin.words.slice(0, 200)}, but packages come only from the registry, not from git, addresses or directories`;
  const unchecked = lock.packages.filter(({ digest }) => digest === null);
  if (unchecked.length > 0) {
    const names = unchecked.map(({ name, version }) => `${name}@${version}`);
    return `${file} has no digest (integrity) of ${listFirst(names, NAMED)}, so the right archive is not known`;
  }
  const stray = lock.links.find(({ name, directory }) => {
    if (directory === '') return objectOf(manifest)?.['name'] !== name;
    const said = members !== undefined && Object.hasOwn(members, directory) ? objectOf(members[directory] ?? '') : null;
    return said === null || (said['name'] ?? name) !== name;
  });
  return stray === undefined
    ? null
    : `${file} has ${stray.name} in the directory ${JSON.stringify(stray.directory.slice(0, 200))}, which is not a workspace member with that name`;
}
