import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_MANAGERS, PACKAGE_TREE } from '../../src/contracts/sandbox/package-managers.ts';
import type { PackageReport, PackageRequest } from '../../src/contracts/sandbox/package-managers.ts';
import { isLocked, normalName, readRequirements, specifierOf, startOf } from '../../src/lib/packages/requirements.ts';
import type { Requirement } from '../../src/lib/packages/requirements.ts';
import type { PackageWork } from './package-work.ts';
import { pipFacts } from './pip-facts.ts';
import type { ChosenPackage } from './pip-facts.ts';
import { explainPip } from './pip-failure.ts';
import { relocateScripts, skipStartFiles } from './python-environment.ts';
import { runProgram } from './run-program.ts';
import type { ProgramEnd } from './run-program.ts';

const { manifest, directory, programs } = PACKAGE_MANAGERS.pip;
const [PYTHON] = programs;
const MAX_NAMED = 100;

/** What pip says that it installs, or would install. */
const planSchema = z.looseObject({
  install: z.array(
    z.looseObject({
      download_info: z.looseObject({
        url: z.string(),
        archive_info: z.looseObject({
          hash: z.string().optional(),
          hashes: z.record(z.string(), z.string()).optional(),
        }),
      }),
      metadata: z.looseObject({
        name: z.string(),
        version: z.string(),
        license: z.string().optional(),
        license_expression: z.string().optional(),
        classifier: z.array(z.string()).optional(),
      }),
    }),
  ),
});

type Pip = (args: readonly string[]) => Promise<ProgramEnd>;

/**
 * Runs pip on requirements.txt, with the user's index alone, for wheels alone: the archive of a source runs its own program when it is built. What is
 * installed is a virtual environment with the image's Python.
 */
export async function performPip(work: PackageWork): Promise<PackageReport> {
  const { job, grant, out } = work;
  const project = join(out, PACKAGE_TREE);
  const environment = await makeEnvironment(project);
  const pip = await preparedPip(work, project, environment.python);
  const before = readRequirements(job.manifest);
  if (before.kind === 'unreadable')
    return { kind: 'failed', failure: 'out_of_step', message: `${manifest}: ${before.why}` };

  const chosen =
    job.request.kind === 'add' || job.base_lockfile !== job.manifest
      ? await choose(pip, project, before.requirements, job.request)
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
  await relocateScripts(join(project, directory, 'bin'), environment.python);
  const starts = await skipStartFiles(environment.packages, grant.install_scripts.map(normalName));
  return {
    kind: 'done',
    manifest: text,
    lockfile: text,
    facts: facts.map(({ facts: each }) => each).slice(0, MAX_NAMED),
    scripts_run: starts.kept.slice(0, MAX_NAMED),
    scripts_skipped: starts.skipped.slice(0, MAX_NAMED),
  };
}

/** As `python3 -m venv --without-pip` makes it, but with nothing in it that differs from one run to the next. */
async function makeEnvironment(project: string): Promise<{ readonly python: string; readonly packages: string }> {
  const bin = join(project, directory, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(project, directory, 'pyvenv.cfg'), `home = ${PYTHON.replace(/\/[^/]*$/, '')}\n`);
  const python = join(bin, 'python3');
  await symlink(PYTHON, python);
  await symlink('python3', join(bin, 'python'));
  const asked = await runProgram([PYTHON, '-I', '-c', 'import sys; print("python%d.%d" % sys.version_info[:2])'], {
    cwd: project,
    env: {},
  });
  const packages = join(project, directory, 'lib', asked.output.trim(), 'site-packages');
  await mkdir(packages, { recursive: true });
  return { python, packages };
}

/** pip with its settings: no configuration file, no variable, no index but the user's. */
async function preparedPip(
  { grant, job, out, temporary, proxyUrl, env }: PackageWork,
  project: string,
  python: string,
): Promise<Pip> {
  const certificates = join(temporary, 'ca.pem');
  if (grant.extra_ca.length > 0) {
    const own = await readFile(join(grant.program, '_vendor/certifi/cacert.pem'), 'utf8').catch(() => '');
    await writeFile(certificates, `${own}\n${grant.extra_ca.join('\n')}\n`);
  }
  // Wheels can be larger than what the sandbox has in memory.
  const unpacked = join(out, 'unpacked');
  await mkdir(unpacked);
  const settings = [
    '--no-input',
    '--disable-pip-version-check',
    '--no-cache-dir',
    `--proxy=${proxyUrl}`,
    `--timeout=${Math.max(1, Math.round(job.fetch_timeout_ms / 1000))}`,
    '--retries=1',
    ...(grant.extra_ca.length > 0 ? [`--cert=${certificates}`] : []),
  ];
  const index = [`--index-url=${grant.registry}`, ...grant.settings.map((setting) => `--${setting}`)];
  const environment = {
    PATH: env['PATH'] ?? '',
    HOME: temporary,
    TMPDIR: unpacked,
    LANG: 'C.UTF-8',
    PIP_CONFIG_FILE: '/dev/null',
  };
  return ([command = '', ...rest]) =>
    runProgram([python, '-I', grant.program, command, ...settings, ...index, '--only-binary=:all:', ...rest], {
      cwd: project,
      env: environment,
    });
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

/** What pip would install of the old packages and the requested one together. */
async function choose(
  pip: Pip,
  project: string,
  before: readonly Requirement[],
  request: PackageRequest,
): Promise<{ readonly packages: readonly ChosenPackage[] } | { readonly failure: ProgramEnd }> {
  const wanted = join(project, '..', 'wanted.txt');
  const plan = join(project, '..', 'plan.json');
  const requested = request.kind === 'add' ? [`${request.name}${specifierOf(request.version) ?? ''}`] : [];
  const lines = [...before.map(({ line }) => line), ...requested];
  await writeFile(wanted, `${lines.join('\n')}\n`);
  const ended = await pip(['install', '--dry-run', '--ignore-installed', '--quiet', '--report', plan, '-r', wanted]);
  if (ended.code !== 0) return { failure: ended };
  const { install } = planSchema.parse(JSON.parse(await readFile(plan, 'utf8')));
  return {
    packages: install.map(({ download_info: { url, archive_info: archive }, metadata }): ChosenPackage => {
      const sha256 = archive.hashes?.['sha256'] ?? /^sha256=(.*)$/.exec(archive.hash ?? '')?.[1] ?? null;
      const named = metadata.classifier
        ?.find((each) => each.startsWith('License ::'))
        ?.split(' :: ')
        .at(-1);
      return {
        name: normalName(metadata.name),
        version: metadata.version,
        file: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
        sha256,
        licence: (metadata.license_expression ?? named ?? metadata.license)?.split('\n', 1)[0]?.slice(0, 200) ?? null,
      };
    }),
  };
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
