import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE_MANAGERS, PACKAGE_TREE } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageFailure, PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { newPackages, readNpmLock } from '../../../src/lib/packages/npm-lock.ts';
import type { LockedPackage } from '../../../src/lib/packages/npm-lock.ts';
import { whyUnsafeArchive } from '../archive.ts';
import { programOf } from '../package-work.ts';
import type { PackageWork } from '../package-work.ts';
import { readInstalled, whyUnbound } from './npm-identity.ts';
import { factsOfNew } from './npm-facts.ts';
import { openNpmRegistry } from './npm-registry.ts';
import { readMembers, writeMembers } from './workspace-members.ts';
import { runProgram } from '../run-program.ts';

const { manifest, lockfile } = PACKAGE_MANAGERS.npm;
/** Of what npm printed, in characters: a report with a longer message is refused. */
const MAX_SAID = 3_000;
/** How npm is used, which it adds to what is wrong. */
const HELP = /^npm (?:error|ERR!) (?:Clean install a project|Usage:)[^]*$/m;
/** For the count alone: what failed at first and was fetched later is no reason. */
const HTTP_LINES = /^npm http .*\n/gm;
const GZIP = Buffer.from([0x1f, 0x8b]);
const NO_GIT = '/nonexistent';

/** Runs npm on manifest and lockfile, with no configuration but the user's, and no install script but those allowed. */
export async function performNpm(work: PackageWork): Promise<PackageReport> {
  const { grant, job, out } = work;
  const project = join(out, PACKAGE_TREE);
  await mkdir(project);
  await writeFile(join(project, manifest), job.manifest);
  if (job.lockfile !== null) await writeFile(join(project, lockfile), job.lockfile);
  await writeMembers(project, job.members ?? {});
  const npm = await preparedNpm(work, project);

  const ended = await npm(argumentsFor(job.request));
  if (ended.code !== 0) return failureOf(ended.output, job.request);
  const lockText = await readFile(join(project, lockfile), 'utf8');
  const locked = readNpmLock(lockText);
  if (locked.kind === 'unreadable')
    return { kind: 'failed', failure: 'other', message: `package-lock.json: ${locked.why}` };

  const packages = locked.packages.filter(({ isLink }) => !isLink);
  const unsafe = await firstUnsafe(join(out, 'cache'), packages);
  if (unsafe !== null) return { kind: 'failed', failure: 'unsafe_archive', message: unsafe };

  const installed = await readInstalled(project, packages);
  if (installed.kind === 'impostor') return { kind: 'failed', failure: 'impostor', message: installed.why };
  const scripted = installed.packages.filter(({ hasScript }) => hasScript).map(({ locked: each }) => each);
  // A bundled package came in another one's archive, and can call itself anything.
  const allowed = scripted.filter(
    ({ name, isBundled, hasInstallScript }) => hasInstallScript && !isBundled && grant.install_scripts.includes(name),
  );
  const registry = openNpmRegistry(work);
  const unbound = await whyUnbound(registry, packages, allowed);
  if (unbound !== null) return { kind: 'failed', failure: 'impostor', message: unbound };
  const facts = await factsOfNew(job, registry, newPackages(packagesOf(job.base_lockfile), packages));

  if (allowed.length > 0) {
    const places = allowed.map(({ place }) => `./${place}`);
    const built = await npm(['rebuild', '--ignore-scripts=false', '--foreground-scripts', '--', ...places]);
    if (built.code !== 0)
      return { kind: 'failed', failure: 'other', message: `An install script failed: ${lastLines(built.output)}` };
  }
  return {
    kind: 'done',
    manifest: await readFile(join(project, manifest), 'utf8'),
    lockfile: lockText,
    members: await readMembers(project, Object.keys(job.members ?? {})),
    facts,
    scripts_run: namesOf(allowed),
    scripts_skipped: namesOf(scripted.filter((each) => !allowed.includes(each))),
  };
}

function namesOf(packages: readonly LockedPackage[]): string[] {
  return [...new Set(packages.map(({ name }) => name))].slice(0, 100);
}

function argumentsFor(request: PackageRequest): string[] {
  if (request.kind === 'install') return ['ci'];
  const { name, version, dev, directory } = request;
  const member = directory === undefined ? [] : [`--workspace=${directory}`];
  return [
    'install',
    ...member,
    dev ? '--save-dev' : '--save-prod',
    '--',
    version === undefined ? name : `${name}@${version}`,
  ];
}

/** npm with its settings: nothing of the project's, no other file of the user's. What is given on the command line wins over all else. */
async function preparedNpm({ grant, job, out, temporary, proxyUrl, onLine, env }: PackageWork, project: string) {
  const userConfig = join(temporary, 'npmrc');
  await writeFile(userConfig, `${grant.settings.join('\n')}\n`);
  const certificates = join(temporary, 'ca.pem');
  await writeFile(certificates, grant.extra_ca.join('\n'));
  const settings = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--no-progress',
    '--loglevel=http',
    '--install-links=false',
    `--git=${NO_GIT}`,
    `--proxy=${proxyUrl}`,
    `--https-proxy=${proxyUrl}`,
    '--noproxy=',
    `--cache=${join(out, 'cache')}`,
    `--fetch-timeout=${job.fetch_timeout_ms}`,
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=100',
    '--fetch-retry-maxtimeout=1000',
    '--logs-max=0',
  ];
  const environment = {
    PATH: env['PATH'] ?? '',
    HOME: temporary,
    TMPDIR: temporary,
    npm_config_userconfig: userConfig,
    npm_config_globalconfig: join(temporary, 'no-global-npmrc'),
    ...(grant.extra_ca.length === 0 ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
  };
  return async ([command = '', ...rest]: readonly string[]) => {
    const argv = [process.execPath, programOf(grant), command, ...settings, ...rest];
    const ended = await runProgram(argv, { cwd: project, env: environment, onLine });
    return { ...ended, output: ended.output.replace(HTTP_LINES, '') };
  };
}

function failureOf(output: string, request: PackageRequest): PackageReport {
  const code = /npm (?:error|ERR!) code (\w+)/.exec(output)?.[1] ?? '';
  const failed = (failure: PackageFailure, message: string): PackageReport => ({
    kind: 'failed',
    failure,
    message: message.slice(0, 4_000),
  });
  // Only git is started at this path, whatever the system says of it.
  if (output.includes(NO_GIT))
    return failed('other', 'a package comes from a git repository; packages come only from the registry');
  switch (code) {
    case 'E404':
    case 'ETARGET':
      return failed('not_found', missing(output, request));
    case 'EINTEGRITY':
      return failed('integrity', lastLines(output));
    case 'EUSAGE':
      return failed('out_of_step', lastLines(output.replace(HELP, '')));
    case 'ETIMEDOUT':
    case 'ERR_SOCKET_TIMEOUT':
    case 'ECONNRESET':
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed('unreachable', lastLines(output));
    default:
      return /timeout|timed out|socket hang up|ECONNRESET/i.test(output)
        ? failed('unreachable', lastLines(output))
        : failed('other', lastLines(output));
  }
}

/** Which package there is not: the requested one, or one that it needs. */
function missing(output: string, request: PackageRequest): string {
  const said =
    /'([^'\s]+)' (?:is not in this registry|could not be found)|No matching version found for (\S+?)\.?$/m.exec(output);
  const absent = said?.[1] ?? said?.[2];
  if (request.kind === 'install') return absent ?? lastLines(output);
  const { name } = request;
  return absent === undefined || absent === name || absent.startsWith(`${name}@`)
    ? wanted(request)
    : `${absent}, which ${name} needs`;
}

function wanted({ name, version }: Extract<PackageRequest, { kind: 'add' }>): string {
  return version === undefined ? name : `${name}@${version}`;
}

/** What npm says of an error, without its prefix and its hints about logs. */
function lastLines(output: string): string {
  const lines = output.split('\n').flatMap((line) => {
    const said = /^npm (?:error|ERR!) (.*)$/.exec(line)?.[1] ?? '';
    return said === '' || /A complete log|Log files were not/.test(said) ? [] : [said];
  });
  return (lines.length === 0 ? output.trim().split('\n') : lines).slice(-12).join('\n').slice(-MAX_SAID);
}

/** Looks at the archives that npm has kept, each under its digest; at all of them where the lockfile does not say whose is which. */
async function firstUnsafe(cache: string, packages: readonly LockedPackage[]): Promise<string | null> {
  const content = join(cache, '_cacache/content-v2');
  if (packages.some(({ integrity, isBundled }) => integrity === null && !isBundled)) {
    const entries = await readdir(content, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((each) => each.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      const why = bytes.subarray(0, GZIP.length).equals(GZIP) ? whyUnsafeArchive(bytes) : null;
      if (why !== null) return `an archive: ${why}`;
    }
    return null;
  }
  for (const { name, version, integrity } of packages) {
    const digest = /^(sha\d+)-([A-Za-z0-9+/=]+)/.exec(integrity ?? '');
    if (digest?.[1] === undefined || digest[2] === undefined) continue;
    const hex = Buffer.from(digest[2], 'base64').toString('hex');
    const path = join(content, digest[1], hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    const archive = await readFile(path).catch(() => null);
    const why = archive === null ? null : whyUnsafeArchive(archive);
    if (why !== null) return `${name}@${version}: ${why}`;
  }
  return null;
}

function packagesOf(lockfile: string | null): readonly LockedPackage[] {
  const read = lockfile === null ? null : readNpmLock(lockfile);
  return read?.kind === 'lock' ? read.packages : [];
}
