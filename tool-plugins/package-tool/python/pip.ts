import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_MANAGERS } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import {
  isLocked,
  normalName,
  readRequirements,
  specifierOf,
  startOf,
} from '../../../src/lib/packages/requirements.ts';
import type { Requirement } from '../../../src/lib/packages/requirements.ts';
import type { PackageWork } from '../package-work.ts';
import { pipFacts } from './pip-facts.ts';
import type { ChosenPackage } from './pip-facts.ts';
import { explainPip } from './pip-failure.ts';
import { choose, finishEnvironment, openPip } from './pip-program.ts';

const { manifest } = PACKAGE_MANAGERS.pip;
const MAX_NAMED = 100;

/**
 * Runs pip on requirements.txt, with the user's index alone, for wheels alone: the archive of a source runs its own program when it is built. What is
 * installed is a virtual environment with the image's Python.
 */
export async function performPip(work: PackageWork): Promise<PackageReport> {
  const { job } = work;
  const site = await openPip(work);
  const { pip, project } = site;
  const before = readRequirements(job.manifest);
  if (before.kind === 'unreadable')
    return { kind: 'failed', failure: 'out_of_step', message: `${manifest}: ${before.why}` };

  const chosen =
    job.request.kind === 'add' || job.base_lockfile !== job.manifest
      ? await choose(site, [...before.requirements.map(({ line }) => line), ...requestedLines(job.request)])
      : { packages: [] };
  if ('failure' in chosen) return explainPip(chosen.failure, work);
  const known = new Set(before.requirements.map(({ name }) => name));
  const added =
    job.request.kind === 'add'
      ? chosen.packages.filter(({ name }) => !known.has(name))
      : newOnes(chosen.packages, job.base_lockfile);
  const facts = await pipFacts(work, added);
  const text =
    job.request.kind === 'add' ? withNew(job.manifest, before.requirements, job.request, facts) : job.manifest;
  await writeFile(join(project, manifest), text);

  const locked = isLocked(before.requirements) ? ['--require-hashes'] : [];
  const ended = await pip(['install', '--ignore-installed', ...locked, '-r', manifest]);
  if (ended.code !== 0) return explainPip(ended, work);
  return {
    kind: 'done',
    manifest: text,
    lockfile: text,
    facts: facts.map(({ facts: each }) => each).slice(0, MAX_NAMED),
    ...(await finishEnvironment(site, work)),
  };
}

function requestedLines(request: PackageRequest): string[] {
  return request.kind === 'add' ? [`${request.name}${specifierOf(request.version) ?? ''}`] : [];
}

/** Those which HEAD does not name in this version. */
function newOnes(packages: readonly ChosenPackage[], base: string | null): readonly ChosenPackage[] {
  const read = readRequirements(base ?? '');
  const onHead = read.kind === 'requirements' ? read.requirements : [];
  return packages.filter(
    ({ name, version }) =>
      !onHead.some((each) => each.name === name && (each.version === null || each.version === version)),
  );
}

/** Locked: each new package with its version and the hashes of all of its files, so that other systems can install it too. Else the requested one alone. */
function withNew(
  text: string,
  before: readonly Requirement[],
  request: Extract<PackageRequest, { kind: 'add' }>,
  added: Awaited<ReturnType<typeof pipFacts>>,
): string {
  const requested = normalName(request.name);
  const lines = isLocked(before)
    ? added.map(({ facts: { name, version }, hashes }) =>
        [`${name}==${version}`, ...hashes.map((hash) => `    --hash=sha256:${hash}`)].join(' \\\n'),
      )
    : added
        .filter(({ facts: { name } }) => name === requested)
        .map(({ facts: { name, version } }) => `${name}${specifierOf(request.version) || `==${version}`}`);
  return `${startOf(text)}${lines.join('\n')}\n`;
}
