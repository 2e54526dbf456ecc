import { PLAIN_NAME } from '../../contracts/sandbox/package-managers.ts';
import { isLocked, normalName, readRequirements, specifierOf, startOf } from '../../lib/packages/requirements.ts';
import type { Requirement } from '../../lib/packages/requirements.ts';
import { refused } from './manager.ts';
import type { Judgement, PackageManager } from './manager.ts';

const FILE = 'requirements.txt';

/** requirements.txt is manifest and lockfile in one. If its packages have hashes, added packages must have them too. */
export const pip: PackageManager = {
  name: 'pip',
  outOfStep: 'Ask the user to run pip install.',

  nameOf: normalName,

  named: ({ manifest }) => {
    const requirements = requirementsOf(manifest);
    return {
      packages: requirements.map(({ name, version, line, hashes }) => ({
        name,
        version: version ?? line.slice(name.length).trim(),
        hasInstallScript: false,
        listed: FILE,
        digest: hashes.length === 0 ? null : hashes.toSorted().join(' '),
      })),
      isComplete: isLocked(requirements),
    };
  },

  whyNot: ({ manifest }, request) => {
    const read = readRequirements(manifest);
    if (read.kind === 'unreadable')
      return `${FILE} can only be used where it names packages of the index and nothing else: ${read.why}. Ask the user to install the packages.`;
    if (request.kind === 'install') return read.requirements.length === 0 ? `${FILE} names no package.` : null;
    if (!PLAIN_NAME.test(request.name)) return `${request.name} is not a valid pip package name.`;
    if (request.dev) return `${FILE} has no section for development. Call deps.add without dev.`;
    if (specifierOf(request.version) === null)
      return `${request.version ?? ''} is not a valid version for pip. Use for example 2.1.3 or >=2,<3.`;
    const name = normalName(request.name);
    return read.requirements.some((each) => each.name === name)
      ? `${FILE} lists ${name} already. Call deps.install, or change its line first.`
      : null;
  },

  judge: (before, after, request) => {
    const old = requirementsOf(before.manifest);
    if (after.manifest !== after.lockfile) return refused(`there are two versions of ${FILE}`);
    switch (request.kind) {
      case 'install':
        if (after.manifest !== before.manifest) return refused(`pip changed ${FILE}`);
        return good([], old.length, after);
      case 'add': {
        const start = startOf(before.manifest);
        if (!after.manifest.startsWith(start)) return refused(`${FILE} was changed beyond new lines at its end`);
        const read = readRequirements(after.manifest.slice(start.length));
        if (read.kind === 'unreadable') return refused(`${FILE} cannot be read: ${read.why}`);
        const why = whyUnfit(read.requirements, old, normalName(request.name));
        if (why !== null) return refused(why);
        return good(read.requirements, old.length + read.requirements.length, after);
      }
    }
  },
};

function whyUnfit(added: readonly Requirement[], old: readonly Requirement[], requested: string): string | null {
  if (!added.some(({ name }) => name === requested)) return `${FILE} has no ${requested}`;
  const names = [...old, ...added].map(({ name }) => name);
  if (new Set(names).size < names.length) return `${FILE} lists a package twice`;
  if (!isLocked(old)) return added.length > 1 || !isPlain(added) ? `${FILE} has more than ${requested}` : null;
  const loose = added.find(({ version, hashes }) => version === null || hashes.length === 0);
  return loose === undefined ? null : `${FILE} has no exact version and hash of ${loose.name}`;
}

function isPlain(added: readonly Requirement[]): boolean {
  return added.every(({ hashes }) => hashes.length === 0);
}

function good(
  added: readonly Requirement[],
  installed: number,
  {
    scripts_run: run,
    scripts_skipped: skipped,
  }: { readonly scripts_run: readonly string[]; readonly scripts_skipped: readonly string[] },
): Judgement {
  const withScripts = [...new Set([...run, ...skipped])];
  return {
    kind: 'good',
    added: added.map(({ name, version }) => ({
      name,
      version: version ?? '',
      hasInstallScript: withScripts.includes(name),
    })),
    installed,
    withScripts,
  };
}

function requirementsOf(text: string): readonly Requirement[] {
  const read = readRequirements(text);
  return read.kind === 'requirements' ? read.requirements : [];
}
