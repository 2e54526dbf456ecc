import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { readNamedProgram } from '../../../src/lib/packages/named-program.ts';
import { RESOLVED, archivePath, readYarnLock } from '../../../src/lib/packages/yarn-lock.ts';
import { performJavascript } from './javascript-install.ts';
import type { JavascriptProgram, JavascriptRun } from './javascript-install.ts';
import type { PackageWork } from '../package-work.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramEnd } from '../run-program.ts';

/** The last of Yarn 1. */
const CLASSIC_MAJOR = 1;

export const performYarn = (work: PackageWork): Promise<PackageReport> => performJavascript(work, yarn);

const yarn: JavascriptProgram = {
  name: 'yarn',
  readLock: readYarnLock,

  wanted: ({ manifest }) => {
    const named = readNamedProgram(manifest);
    if (named.kind === 'unusable') return { failed: named.why };
    if (named.kind === 'named' && named.name === 'yarn' && Number.parseInt(named.version, 10) === CLASSIC_MAJOR)
      return { package: 'yarn', version: { kind: 'exact', version: named.version }, digest: named.digest };
    return { package: 'yarn', version: { kind: 'newest', major: CLASSIC_MAJOR }, digest: null };
  },

  // Yarn takes an archive from the address in the lockfile alone, whichever registry is set.
  lockfileFor: (text, registry) =>
    text.replace(RESOLVED, (line, resolved: string) => {
      const [address = '', digest] = resolved.split('#');
      const path = archivePath(address);
      return path === null ? line : `  resolved "${registry}/${path}${digest === undefined ? '' : `#${digest}`}"`;
    }),

  lockfileFrom: (text, registry, work) => {
    const before = new Map<string, string>();
    for (const [, resolved = ''] of (work.job.lockfile ?? '').matchAll(RESOLVED))
      before.set(archivePath(resolved.split('#')[0] ?? '') ?? '', resolved);
    const own = work.grant.registry.replace(/\/$/, '');
    return text.replace(RESOLVED, (line, resolved: string) => {
      if (!resolved.startsWith(`${registry}/`)) return line;
      const path = archivePath(resolved.split('#')[0] ?? '') ?? '';
      return `  resolved "${before.get(path) ?? resolved.replace(registry, own)}"`;
    });
  },

  run: async (run) => {
    const { request } = run.work.job;
    const environment = await environmentOf(run);
    const start = (words: readonly string[], cwd = run.project): Promise<ProgramEnd> =>
      runProgram([process.execPath, join(run.directory, 'bin/yarn.js'), ...words, ...SWITCHES], {
        cwd,
        env: environment,
      });
    if (request.kind === 'install') return start(['install', '--frozen-lockfile']);
    const { name, version, dev, directory } = request;
    const isTop = directory === undefined && Object.keys(run.work.job.members ?? {}).length > 0;
    const words = ['add', version === undefined ? name : `${name}@${version}`, ...(dev ? ['--dev'] : [])];
    return start([...words, ...(isTop ? ['--ignore-workspace-root-check'] : [])], join(run.project, directory ?? '.'));
  },

  failureOf: (output, request) => {
    const said = errorLines(output);
    if (/Integrity check failed|integrity/i.test(said)) return { failure: 'integrity', message: said };
    // Not 404 alone: a port or a digest may have it.
    if (/Received invalid package name|Couldn't find (?:package|any versions)|Not found/i.test(said))
      return { failure: 'not_found', message: missing(said, request) };
    if (/lockfile needs to be updated/.test(said)) return { failure: 'out_of_step', message: said };
    return /ETIMEDOUT|ECONNRE|timed? ?out|network connection/i.test(said)
      ? { failure: 'unreachable', message: said }
      : { failure: 'other', message: said };
  },
};

const SWITCHES = [
  '--ignore-scripts',
  '--non-interactive',
  '--no-progress',
  '--ignore-engines',
  '--no-node-version-check',
];

/** No file of the project's is there, and none of the user's is read. */
async function environmentOf({ work, registry }: JavascriptRun): Promise<Readonly<Record<string, string>>> {
  const { out, temporary, proxyUrl, env, job, grant } = work;
  const prefix = grant.settings.find((line) => line.startsWith('save-prefix='))?.slice('save-prefix='.length);
  const isExact = grant.settings.includes('save-exact=true');
  const settings = {
    registry,
    'disable-self-update-check': 'true',
    'network-timeout': String(job.fetch_timeout_ms),
    'cache-folder': join(out, 'cache'),
    'save-prefix': isExact ? '' : (prefix ?? '^'),
  };
  await writeFile(
    join(temporary, '.yarnrc'),
    Object.entries(settings)
      .map(([name, value]) => `${name} ${JSON.stringify(value)}\n`)
      .join(''),
  );
  return {
    PATH: env['PATH'] ?? '',
    HOME: temporary,
    TMPDIR: temporary,
    CI: '1',
    YARN_IGNORE_PATH: '1',
    npm_config_registry: registry,
    npm_config_globalconfig: join(temporary, 'no-global-npmrc'),
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    NO_PROXY: '127.0.0.1',
  };
}

function missing(said: string, request: PackageRequest): string {
  const absent = /Couldn't find (?:package|any versions for) "([^"]+)"/.exec(said)?.[1];
  if (request.kind === 'install') return absent ?? said;
  const { name, version } = request;
  return absent === undefined || absent === name
    ? version === undefined
      ? name
      : `${name}@${version}`
    : `${absent}, which ${name} needs`;
}

/** What Yarn says of an error, without what leads elsewhere. */
function errorLines(output: string): string {
  const lines = output.split('\n').flatMap((line) => /^error (.*)$/.exec(line.trim())?.[1] ?? []);
  return (lines.length === 0 ? output.trim().split('\n') : lines).slice(-12).join('\n').slice(-3_000);
}
