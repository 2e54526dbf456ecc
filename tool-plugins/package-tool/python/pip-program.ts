import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { PACKAGE_MANAGERS, PACKAGE_TREE } from '../../../src/contracts/sandbox/package-managers.ts';
import { normalName } from '../../../src/lib/packages/requirements.ts';
import { programOf } from '../package-work.ts';
import type { PackageWork } from '../package-work.ts';
import type { ChosenPackage } from './pip-facts.ts';
import { relocateScripts, skipStartFiles } from './python-environment.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramEnd } from '../run-program.ts';

const { directory, programs } = PACKAGE_MANAGERS.pip;
const [IMAGE_PYTHON] = programs;
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

export type Pip = (args: readonly string[]) => Promise<ProgramEnd>;

/** pip, and the virtual environment that it installs into. */
export interface PipSite {
  readonly project: string;
  /** Of the environment. */
  readonly python: string;
  readonly packages: string;
  readonly pip: Pip;
}

/** For wheels alone: the archive of a source runs its own program when it is built. */
export async function openPip(work: PackageWork): Promise<PipSite> {
  const project = join(work.out, PACKAGE_TREE);
  const environment = await makeEnvironment(project, work.job.interpreter ?? IMAGE_PYTHON);
  return { project, ...environment, pip: await preparedPip(work, project, environment.python) };
}

/** What became of code that would run whenever Python starts, once everything is installed. */
export async function finishEnvironment(
  { project, python, packages }: PipSite,
  { grant }: PackageWork,
): Promise<{ readonly scripts_run: string[]; readonly scripts_skipped: string[] }> {
  await relocateScripts(join(project, directory, 'bin'), python);
  const { kept, skipped } = await skipStartFiles(packages, grant.install_scripts.map(normalName));
  return { scripts_run: kept.slice(0, MAX_NAMED), scripts_skipped: skipped.slice(0, MAX_NAMED) };
}

/** As `python3 -m venv --without-pip` makes it, but with nothing in it that differs from one run to the next. */
async function makeEnvironment(
  project: string,
  interpreter: string,
): Promise<{ readonly python: string; readonly packages: string }> {
  const bin = join(project, directory, 'bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(project, directory, 'pyvenv.cfg'), `home = ${dirname(interpreter)}\n`);
  const python = join(bin, 'python3');
  await symlink(interpreter, python);
  await symlink('python3', join(bin, 'python'));
  const asked = await runProgram([interpreter, '-I', '-c', 'import sys; print("python%d.%d" % sys.version_info[:2])'], {
    cwd: project,
    env: {},
  });
  const packages = join(project, directory, 'lib', asked.output.trim(), 'site-packages');
  await mkdir(packages, { recursive: true });
  return { python, packages };
}

/** pip with its settings: no configuration file, no variable, no index but the user's. */
async function preparedPip(
  { grant, job, out, temporary, proxyUrl, onLine, env }: PackageWork,
  project: string,
  python: string,
): Promise<Pip> {
  const certificates = join(temporary, 'ca.pem');
  if (grant.extra_ca.length > 0) {
    const own = await readFile(join(programOf(grant), '_vendor/certifi/cacert.pem'), 'utf8').catch(() => '');
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
    runProgram([python, '-I', programOf(grant), command, ...settings, ...index, '--only-binary=:all:', ...rest], {
      cwd: project,
      env: environment,
      onLine,
    });
}

/** What pip would install of these lines together, in the versions that `constraints` allow. */
export async function choose(
  { pip, project }: PipSite,
  lines: readonly string[],
  constraints: readonly string[] = [],
): Promise<{ readonly packages: readonly ChosenPackage[] } | { readonly failure: ProgramEnd }> {
  const wanted = join(project, '..', 'wanted.txt');
  const plan = join(project, '..', 'plan.json');
  const allowed = join(project, '..', 'allowed.txt');
  await writeFile(wanted, `${lines.join('\n')}\n`);
  await writeFile(allowed, `${constraints.join('\n')}\n`);
  const ended = await pip([
    'install',
    '--dry-run',
    '--ignore-installed',
    '--quiet',
    '--report',
    plan,
    '-r',
    wanted,
    '-c',
    allowed,
  ]);
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
