import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import type { FileState } from '../../../contracts/review/change-set.ts';
import { PACKAGE_MANAGERS, PACKAGE_MANAGER_NAMES } from '../../../contracts/sandbox/package-managers.ts';
import type {
  MemberManifests,
  PackageManagerFiles,
  PackageManagerName,
  SettingFiles,
} from '../../../contracts/sandbox/package-managers.ts';
import { ownValue } from '../../../lib/own-value.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { CI_PLACES, JAVASCRIPT_LOCKFILES, chooseManager, isJavascript } from '../../packages/choose-manager.ts';
import type { ChosenManager } from '../../packages/choose-manager.ts';
import { MAX_MEMBERS, memberManifests, settingFiles } from '../../review/member-manifests.ts';

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LOCKFILE_BYTES = 32 * 1024 * 1024;
const MAX_CI_FILES = 20;

/** Commands of people for manifests and lockfiles of managers that are not run here. They install to where tests look. */
const INSTALLED_BY: Readonly<Record<string, string>> = {
  'poetry.lock': 'POETRY_VIRTUALENVS_IN_PROJECT=1 poetry install',
  'Pipfile.lock': 'PIPENV_VENV_IN_PROJECT=1 pipenv sync --dev',
  'bun.lock': 'bun install',
  'bun.lockb': 'bun install',
  'npm-shrinkwrap.json': 'npm ci',
  'go.work': 'go mod download',
  'pom.xml': 'mvn test',
  Gemfile: 'bundle install',
  'composer.json': 'composer install',
  Pipfile: 'PIPENV_VENV_IN_PROJECT=1 pipenv install --dev',
  'setup.py': 'python3 -m venv .venv && .venv/bin/pip install -e .',
  'setup.cfg': 'python3 -m venv .venv && .venv/bin/pip install -e .',
};

function howInstalled(lockfile: string): string {
  const command = ownValue(INSTALLED_BY, lockfile);
  return command === undefined ? 'install them' : `run ${command} in the project, then call test.run again`;
}

/** A manifest or lockfile as it is before the package manager runs. */
export interface Found {
  readonly path: ProjectPath;
  readonly text: string | null;
  readonly state: FileState;
}

/** The packages of a project and the manager that installs them. */
export interface FoundPackages {
  readonly name: PackageManagerName;
  readonly manifest: Found;
  readonly lockfile: Found;
  readonly members: MemberManifests;
  readonly settings: SettingFiles;
  /** Why this manager was chosen, if there are lockfiles of others; null if it is the only one. */
  readonly chosen: string | null;
}

interface NoManager {
  readonly kind: 'none';
  readonly why: string;
}

export type FindOutcome = ({ readonly kind: 'found' } & FoundPackages) | NoManager;

/** A manager whose manifest exists. */
interface Candidate {
  readonly name: PackageManagerName;
  readonly manifest: Found;
  /** A file that shows that the packages are managed by another program. */
  readonly other: string | null;
}

/**
 * The package manager of the project: the requested one, or the only one with a manifest. If several have a lockfile
 * beside one package.json, the one that the project itself names.
 */
export async function findManager(workspace: Workspace, requested?: PackageManagerName): Promise<FindOutcome> {
  const names = requested === undefined ? PACKAGE_MANAGER_NAMES : [requested];
  const manifests = await Promise.all(
    names.map(async (name) => ({
      name,
      manifest: await readFound(workspace, PACKAGE_MANAGERS[name].manifest, MAX_FILE_BYTES),
    })),
  );
  const there: Candidate[] = [];
  for (const { name, manifest } of manifests)
    if (manifest !== null && manifest.text !== null && (await hasNeeded(workspace, name)))
      there.push({ name, manifest, other: await firstThere(workspace, PACKAGE_MANAGERS[name].others) });
  const [first] = there;
  if (first === undefined) {
    const other = requested === undefined ? await firstThere(workspace, Object.keys(INSTALLED_BY)) : null;
    if (other !== null)
      return none(`The packages of ${other} are not installed by this tool. Ask the user to ${howInstalled(other)}.`);
    const wanted = names.map((name) => PACKAGE_MANAGERS[name].manifest);
    return none(
      `There is no ${[...new Set(wanted)].join(' or ')} at the top of the project. Write one first, or ask the user.`,
    );
  }
  const rivals = await chosenOfSeveral(workspace, there, requested);
  if (rivals.kind === 'none') return rivals;
  const usable = there.filter(({ name, other }) => other === null || name === rivals.name);
  if (usable.length > 1)
    return none(`The project has packages of ${usable.map(({ name }) => name).join(' and ')}: name the manager.`);
  const { name, manifest, other } = usable[0] ?? first;
  if (other !== null && name !== rivals.name)
    return none(
      `The packages of this project are not managed only by ${name}: ${other} exists. Ask the user to ${howInstalled(other)}.`,
    );
  const lockfile = await readFound(workspace, PACKAGE_MANAGERS[name].lockfile, MAX_LOCKFILE_BYTES);
  if (lockfile === null) return none(`${PACKAGE_MANAGERS[name].lockfile} cannot be read as text.`);
  const settings = await settingFiles(workspace, name);
  const members = await memberManifests(workspace, name, { manifest: manifest.text ?? '', settings });
  return members === null
    ? none(`The workspace has more than ${MAX_MEMBERS} members. Ask the user to install the packages.`)
    : { kind: 'found', name, manifest, lockfile, members, settings, chosen: name === rivals.name ? rivals.why : null };
}

interface Rivals {
  readonly kind: 'decided';
  /** The manager whose lockfile counts although there are lockfiles of others; null if there are no others. */
  readonly name: PackageManagerName | null;
  readonly why: string | null;
}

/** The manager whose lockfile counts if there are several beside package.json. */
async function chosenOfSeveral(
  workspace: Workspace,
  there: readonly Candidate[],
  requested: PackageManagerName | undefined,
): Promise<Rivals | NoManager> {
  const first = there.find(({ name }) => isJavascript(name));
  const lockfiles = await allThere(workspace, first === undefined ? [] : JAVASCRIPT_LOCKFILES);
  if (first === undefined || lockfiles.length < 2) return { kind: 'decided', name: null, why: null };
  const listed = lockfiles.join(' and ');
  const decided = (name: PackageManagerName, why: string): Rivals => {
    const { lockfile } = PACKAGE_MANAGERS[name];
    return { kind: 'decided', name, why: `${listed} exist. Only ${lockfile} was used, because ${why}.` };
  };
  const hasLockfile = (name: PackageManagerName): boolean => lockfiles.includes(PACKAGE_MANAGERS[name].lockfile);
  if (requested !== undefined && hasLockfile(requested)) return decided(requested, `${requested} was requested`);
  const chosen = chooseManager(first.manifest.text ?? '', lockfiles, await ciTexts(workspace));
  const own = there.find(({ name }) => chosen.kind === 'chosen' && name === chosen.name && hasLockfile(name));
  if (chosen.kind === 'chosen' && own !== undefined) return decided(own.name, chosen.why);
  return none(
    whyOpen(
      listed,
      chosen,
      there.filter(({ name }) => isJavascript(name) && hasLockfile(name)),
    ),
  );
}

function whyOpen(listed: string, chosen: ChosenManager, usable: readonly Candidate[]): string {
  const names = usable.map(({ name }) => name);
  const fix = names.length === 0 ? 'Ask the user to install them' : `Name the manager: ${names.join(' or ')}`;
  return chosen.kind === 'chosen'
    ? `${listed} exist, and ${chosen.why}, whose packages cannot be installed here. ${fix}.`
    : `${listed} exist, and neither packageManager in package.json nor the project's CI says which one counts. ${fix}.`;
}

async function allThere(workspace: Workspace, paths: readonly string[]): Promise<string[]> {
  const kinds = await Promise.all(paths.map((path) => workspace.kindOf(path as ProjectPath)));
  return paths.filter((_, index) => kinds[index] !== 'absent');
}

async function ciTexts(workspace: Workspace): Promise<string[]> {
  const texts: string[] = [];
  for (const place of CI_PLACES) {
    const below = (await workspace.list(place as ProjectPath)) ?? [];
    const paths = below.length === 0 ? [place] : below.map(({ name }) => `${place}/${name}`);
    for (const path of paths.slice(0, MAX_CI_FILES)) texts.push((await readFound(workspace, path))?.text ?? '');
  }
  return texts;
}

async function hasNeeded(workspace: Workspace, name: PackageManagerName): Promise<boolean> {
  const { lockfile, needsLockfile = false }: PackageManagerFiles = PACKAGE_MANAGERS[name];
  return !needsLockfile || (await firstThere(workspace, [lockfile])) !== null;
}

async function firstThere(workspace: Workspace, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await workspace.kindOf(path as ProjectPath)) !== 'absent') return path;
  return null;
}

/** Reads a manifest or lockfile; null if it exists and is not text. */
export async function readFound(workspace: Workspace, name: string, maxBytes = MAX_FILE_BYTES): Promise<Found | null> {
  const path = name as ProjectPath;
  const read = await workspace.read(path, maxBytes);
  if (read.kind === 'missing') return { path, text: null, state: { kind: 'absent' } };
  const text = read.kind === 'file' ? decodeUtf8(read.bytes) : null;
  return read.kind === 'file' && text !== null ? { path, text, state: read.state } : null;
}

function none(why: string): NoManager {
  return { kind: 'none', why };
}
