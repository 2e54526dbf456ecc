import { PACKAGE_MANAGERS, PLAIN_NAME } from '../../contracts/sandbox/package-managers.ts';
import type { PackageRequest } from '../../contracts/sandbox/package-managers.ts';
import {
  installedLists,
  onlyRequirementsDiffer,
  readPyproject,
  withRequirement,
} from '../../lib/packages/pyproject.ts';
import type { PythonProject } from '../../lib/packages/pyproject.ts';
import { readPdmLock, readPylock, readUvLock } from '../../lib/packages/python-lock.ts';
import type { LockedPython, PythonLockReader } from '../../lib/packages/python-lock.ts';
import { normalName, readRequirements, specifierOf } from '../../lib/packages/requirements.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import { refused } from './manager.ts';
import type { Judgement, NamedPackage, PackageManager, PackageTexts } from './manager.ts';

type Add = Extract<PackageRequest, { kind: 'add' }>;
type Done = Parameters<PackageManager['judge']>[1];

const FILE = 'pyproject.toml';
const NAMED = { max: 5, separator: ', ' } as const;

/** pyproject.toml without a lockfile: its package lists are manifest and lockfile in one. */
export const pyproject: PackageManager = {
  name: 'pyproject',
  program: 'pip',
  outOfStep: `Ask the user to look at the packages of ${FILE}.`,
  nameOf: normalName,

  named: ({ manifest }) => {
    const project = projectOf(manifest);
    return { packages: project === null ? [] : listedPackages(project), isComplete: false };
  },

  whyNot: ({ manifest }, request) => {
    const read = readPyproject(manifest);
    if (read.kind === 'unreadable') return `${FILE} cannot be read: ${read.why}. Correct it first.`;
    return whyUnusable(read.project) ?? (request.kind === 'add' ? whyNotAdded(read.project, request) : null);
  },

  judge: (before, after, request) => {
    if (after.manifest !== after.lockfile) return refused(`there are two versions of ${FILE}`);
    if (request.kind === 'add') return judgeAdded(before, after, request);
    return after.manifest === before.manifest ? good(after) : refused(`pip changed ${FILE}`);
  },

  onlyListsChanged: onlyRequirementsDiffer,
};

export const uv = lockedProject('uv', readUvLock, 'uv lock');
export const pdm = lockedProject('pdm', readPdmLock, 'pdm lock');
export const pylock = lockedProject('pylock', readPylock, 'pip lock');

/** A lockfile that only its own program writes: its packages can be installed, but none can be added. */
function lockedProject(name: 'uv' | 'pdm' | 'pylock', read: PythonLockReader, command: string): PackageManager {
  const file = PACKAGE_MANAGERS[name].lockfile;
  return {
    name,
    program: name === 'uv' ? 'uv' : 'pip',
    outOfStep: `Ask the user to run ${command}.`,
    nameOf: normalName,

    named: ({ manifest, lockfile }) => {
      const lock = lockfile === null ? null : read(lockfile);
      const project = projectOf(manifest);
      const listed = new Map(project === null ? [] : listedPackages(project).map((each) => [each.name, each.listed]));
      const packages = (lock?.kind === 'lock' ? lock.packages : []).map((each) => ({
        name: each.name,
        version: each.version,
        hasInstallScript: false,
        listed: listed.get(each.name) ?? null,
        digest: each.hashes.join(' '),
      }));
      return { packages, isComplete: true };
    },

    whyNot: ({ manifest, lockfile }, request) => {
      if (request.kind === 'add')
        return `${file} is written only by the program that made it. Ask the user to add ${request.name} with it, then call deps.install.`;
      const project = readPyproject(manifest);
      if (project.kind === 'unreadable') return `${FILE} cannot be read: ${project.why}. Correct it first.`;
      const lock = read(lockfile ?? '');
      if (lock.kind === 'unreadable') return `${file} cannot be read: ${lock.why}. Ask the user to run ${command}.`;
      return whyUnusable(project.project) ?? whyUntraceable(file, lock.packages);
    },

    judge: (before, after) =>
      after.manifest === before.manifest && after.lockfile === before.lockfile
        ? good(after)
        : refused(`pip changed ${FILE} or ${file} although it should only install their content`),
  };
}

/** Why a package does not come from an index, or has no digest in the lockfile; null if all are fine. */
function whyUntraceable(file: string, packages: readonly LockedPython[]): string | null {
  const foreign = packages.find(({ elsewhere }) => elsewhere !== null);
  if (foreign !== undefined)
    return `${foreign.name} does not come from an index (${foreign.elsewhere ?? ''}). Ask the user to install the packages.`;
  const unchecked = packages.filter(({ hashes }) => hashes.length === 0).map(({ name }) => name);
  return unchecked.length === 0
    ? null
    : `${file} has no hash of ${listFirst(unchecked, NAMED)}. Ask the user to install the packages.`;
}

function whyUnusable(project: PythonProject): string | null {
  if (project.isDynamic)
    return `a build says what the project needs (dynamic = ["dependencies"] in ${FILE}), and none is run for that. Ask the user to install the packages.`;
  if (project.lists.size === 0)
    return `${FILE} lists no packages in [project] or [dependency-groups]. Ask the user to install the packages.`;
  const lines = [...installedLists(project).values()].flat();
  const read = readRequirements(lines.join('\n'));
  return read.kind === 'unreadable'
    ? `${FILE} can only be used where it names packages of the index and nothing else: ${read.why}. Ask the user to install the packages.`
    : null;
}

function whyNotAdded(project: PythonProject, { name, version, dev }: Add): string | null {
  if (!PLAIN_NAME.test(name)) return `${name} is not a valid pip package name.`;
  if (specifierOf(version) === null)
    return `${version ?? ''} is not a valid version for pip. Use for example 2.1.3 or >=2,<3.`;
  const listed = listedPackages(project).find((each) => each.name === normalName(name));
  if (listed !== undefined && (dev || listed.listed === 'dependencies'))
    return `${FILE} lists ${listed.name} already (${listed.listed ?? ''}). Call deps.install, or change its line first.`;
  return null;
}

/** Whether the new text is the old text with one more line, in the form in which the kernel writes it. */
function judgeAdded(before: PackageTexts, after: Done, { name, dev }: Add): Judgement {
  const lists = projectOf(after.manifest)?.lists;
  const line = lists?.get(dev ? 'dependency-groups.dev' : 'dependencies')?.at(-1) ?? '';
  const read = readRequirements(line);
  const [requirement] = read.kind === 'requirements' ? read.requirements : [];
  if (requirement?.name !== normalName(name)) return refused(`${FILE} has no ${name}`);
  if (withRequirement(before.manifest, line, dev) !== after.manifest)
    return refused(`${FILE} was changed beyond the dependency ${name}`);
  const version = after.facts.find((each) => each.name === requirement.name)?.version ?? requirement.version ?? '';
  return { ...good(after), added: [{ name: requirement.name, version, hasInstallScript: false }] };
}

function good(after: Done): Extract<Judgement, { kind: 'good' }> {
  const withScripts = [...new Set([...after.scripts_run, ...after.scripts_skipped])];
  return { kind: 'good', added: [], installed: after.installed ?? 0, withScripts };
}

function projectOf(text: string): PythonProject | null {
  const read = readPyproject(text);
  return read.kind === 'project' ? read.project : null;
}

function listedPackages({ lists }: PythonProject): NamedPackage[] {
  return [...lists].flatMap(([list, lines]) =>
    lines.flatMap((line): NamedPackage[] => {
      const read = readRequirements(line);
      const [requirement] = read.kind === 'requirements' ? read.requirements : [];
      if (requirement === undefined) return [];
      const { name, version } = requirement;
      const range = /[<>=~!][^;]*/.exec(line)?.[0].trim() ?? '';
      return [{ name, version: version ?? range, hasInstallScript: false, listed: list, digest: null }];
    }),
  );
}
