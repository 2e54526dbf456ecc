import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type {
  PackageManagerName,
  PackageReport,
  PackageRequest,
} from '../../../src/contracts/sandbox/package-managers.ts';
import { installedLists, readPyproject, withRequirement } from '../../../src/lib/packages/pyproject.ts';
import type { PythonProject } from '../../../src/lib/packages/pyproject.ts';
import { readPdmLock, readPylock, readUvLock } from '../../../src/lib/packages/python-lock.ts';
import type { LockedPython, PythonLockReader } from '../../../src/lib/packages/python-lock.ts';
import { normalName, specifierOf } from '../../../src/lib/packages/requirements.ts';
import type { PackageWork } from '../package-work.ts';
import { pipFacts } from './pip-facts.ts';
import type { ChosenPackage } from './pip-facts.ts';
import { explainPip } from './pip-failure.ts';
import { choose, finishEnvironment, openPip } from './pip-program.ts';
import type { PipSite } from './pip-program.ts';

type Failed = Extract<PackageReport, { kind: 'failed' }>;
type Chosen = { readonly packages: readonly ChosenPackage[] } | Failed;

const READERS: Partial<Readonly<Record<PackageManagerName, PythonLockReader>>> = {
  uv: readUvLock,
  pdm: readPdmLock,
  pylock: readPylock,
};
const MAX_FACTS = 100;
/** Of a project whose build says which version it is. */
const UNKNOWN_VERSION = '0+unknown';

/**
 * Installs what pyproject.toml lists, by pip: in the versions and with the hashes of the lockfile, where there is one. No build of the project is run:
 * where its modules are is written beside the packages, as an editable installation does.
 */
export async function performPyproject(work: PackageWork): Promise<PackageReport> {
  const { job, grant } = work;
  const before = projectOf(job.manifest);
  if (typeof before === 'string') return failed('out_of_step', before);
  const locked = lockedOf(READERS[grant.manager], job.lockfile);
  if (typeof locked === 'string') return failed('out_of_step', locked);
  const site = await openPip(work);

  const lines = [...installedLists(before).values()].flat();
  const known = await choosePackages(work, site, { lines, locked });
  if (!('packages' in known)) return known;
  const added = job.request.kind === 'add' ? await addPackage(work, site, { lines, request: job.request }) : null;
  if (added !== null && !('packages' in added)) return added;
  const { packages, text } = added ?? { ...known, text: job.manifest };

  const unlike = locked === null ? null : whyUnlocked(packages, locked);
  if (unlike !== null) return failed('out_of_step', unlike);
  const pinned = join(site.project, '..', 'pinned.txt');
  await writeFile(pinned, `${packages.map((each) => pinnedLine(each, locked)).join('\n')}\n`);
  const ended = await site.pip(['install', '--ignore-installed', '--no-deps', '--require-hashes', '-r', pinned]);
  if (ended.code !== 0) return { ...explainPip(ended, work) };
  const scripts = await finishEnvironment(site, work);
  await linkProject(site, before);

  const news = packages.filter((each) => !isKnown(each, added === null ? onHead(work) : known.packages));
  const facts = await pipFacts(work, news.slice(0, MAX_FACTS));
  return {
    kind: 'done',
    manifest: text,
    lockfile: added === null ? (job.lockfile ?? text) : text,
    installed: packages.length,
    facts: facts.map(({ facts: each }) => each),
    ...scripts,
  };
}

/** With the requested package, whose line in pyproject.toml names the version that came unless another was requested. */
async function addPackage(
  work: PackageWork,
  site: PipSite,
  { lines, request }: { readonly lines: readonly string[]; readonly request: Extract<PackageRequest, { kind: 'add' }> },
): Promise<{ readonly packages: readonly ChosenPackage[]; readonly text: string } | Failed> {
  const specifier = specifierOf(request.version) ?? '';
  const chosen = await choosePackages(work, site, { lines: [...lines, `${request.name}${specifier}`], locked: null });
  if (!('packages' in chosen)) return chosen;
  const found = chosen.packages.find(({ name }) => name === normalName(request.name));
  const requirement = `${request.name}${specifier || `>=${found?.version ?? '0'}`}`;
  const text = withRequirement(work.job.manifest, requirement, request.dev);
  return text === null
    ? failed('other', `pyproject.toml has no place for ${requirement} that can be found`)
    : { ...chosen, text };
}

async function choosePackages(
  work: PackageWork,
  site: PipSite,
  { lines, locked }: { readonly lines: readonly string[]; readonly locked: readonly LockedPython[] | null },
): Promise<Chosen> {
  const chosen = await choose(site, lines, (locked ?? []).flatMap(constraintOf));
  return 'failure' in chosen ? (explainPip(chosen.failure, work) as Failed) : chosen;
}

/** Holds pip to the version of the lockfile. One of several versions counts where its marker says so. */
function constraintOf({ name, version, marker }: LockedPython): string[] {
  return version === '' ? [] : [`${name}==${version}${marker === null ? '' : ` ; ${marker}`}`];
}

/** Its archive is one of those that the lockfile names; without a lockfile, the one that pip has found. */
function pinnedLine({ name, version, sha256 }: ChosenPackage, locked: readonly LockedPython[] | null): string {
  const own = locked?.find((each) => each.name === name && each.version === version)?.hashes;
  const hashes = own ?? (sha256 === null ? [] : [`sha256:${sha256}`]);
  return [`${name}==${version}`, ...hashes.map((hash) => `--hash=${hash}`)].join(' ');
}

function whyUnlocked(packages: readonly ChosenPackage[], locked: readonly LockedPython[]): string | null {
  const stray = packages.find((each) => !isKnown(each, locked));
  return stray === undefined ? null : `${stray.name} ${stray.version} is needed, and the lockfile does not have it`;
}

interface Named {
  readonly name: string;
  readonly version: string;
}

function isKnown({ name, version }: Named, among: readonly Named[]): boolean {
  return among.some((each) => each.name === name && each.version === version);
}

/** What HEAD's lockfile names. HEAD's pyproject.toml names no versions: what it lists was chosen before. */
function onHead({ job, grant }: PackageWork): readonly Named[] {
  const read = READERS[grant.manager];
  const lock = read === undefined ? null : read(job.base_lockfile ?? '');
  return lock?.kind === 'lock' ? lock.packages : [];
}

/** As an editable installation of the project leaves it: a path to its modules, and its name and version. */
async function linkProject({ project, packages }: PipSite, { name, version }: PythonProject): Promise<void> {
  if (name === null) return;
  const stem = normalName(name).replaceAll('-', '_');
  const up = relative(packages, project);
  await writeFile(join(packages, `_${stem}.pth`), `${up}/src\n${up}\n`);
  const info = join(packages, `${stem}-${version ?? UNKNOWN_VERSION}.dist-info`);
  await mkdir(info);
  const metadata = ['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version ?? UNKNOWN_VERSION}`, ''];
  await writeFile(join(info, 'METADATA'), metadata.join('\n'));
  await writeFile(join(info, 'INSTALLER'), 'fluffy\n');
}

function lockedOf(
  read: PythonLockReader | undefined,
  lockfile: string | null,
): readonly LockedPython[] | string | null {
  if (read === undefined) return null;
  const lock = read(lockfile ?? '');
  return lock.kind === 'lock' ? lock.packages : lock.why;
}

function projectOf(text: string): PythonProject | string {
  const read = readPyproject(text);
  return read.kind === 'project' ? read.project : `pyproject.toml: ${read.why}`;
}

function failed(failure: Failed['failure'], message: string): Failed {
  return { kind: 'failed', failure, message: message.slice(0, 4_000) };
}
