import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { readNamedProgram } from '../../../src/lib/packages/named-program.ts';
import { readPnpmLock } from '../../../src/lib/packages/pnpm-lock.ts';
import { allowedNpmrc, allowedWorkspaceFile } from '../../../src/lib/packages/pnpm-settings.ts';
import { mapIn, readPlainYaml } from '../../../src/lib/packages/plain-yaml.ts';
import { parseJson } from '../../../src/lib/parse-json.ts';
import { performJavascript } from './javascript-install.ts';
import type { JavascriptProgram, JavascriptRun } from './javascript-install.ts';
import type { PackageWork } from '../package-work.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramEnd } from '../run-program.ts';

/** The newest that reads each form of pnpm-lock.yaml, and runs with every Node that is still maintained. */
const MAJOR_OF_LOCK: ReadonlyMap<number, number> = new Map([
  [6, 8],
  [9, 10],
]);
/** From this one on pnpm is a native program. */
const NATIVE_MAJOR = 12;

export const performPnpm = (work: PackageWork): Promise<PackageReport> => performJavascript(work, pnpm);

const pnpm: JavascriptProgram = {
  name: 'pnpm',
  readLock: readPnpmLock,

  wanted: ({ manifest, lockfile }) => {
    const named = readNamedProgram(manifest);
    if (named.kind === 'unusable') return { failed: named.why };
    if (named.kind === 'named' && named.name === 'pnpm') {
      const { version, digest } = named;
      const isNative = Number.parseInt(version, 10) >= NATIVE_MAJOR;
      return isNative
        ? { package: `@pnpm/exe.linux-${process.arch}`, version: { kind: 'exact', version }, digest: null }
        : { package: 'pnpm', version: { kind: 'exact', version }, digest };
    }
    const lock = readPnpmLock(lockfile ?? '');
    const form = lock.kind === 'lock' ? (lock.version ?? 9) : 9;
    return { package: 'pnpm', version: { kind: 'newest', major: MAJOR_OF_LOCK.get(form) ?? 10 }, digest: null };
  },

  // Archives come from the user's registry by name, version and digest, wherever the lockfile has them from; no hook is run, so none is compared.
  lockfileFor: (text) =>
    text.replace(/(\bresolution: \{[^}\n]*?), tarball: [^,}\n]+/g, '$1').replace(/^pnpmfileChecksum: .*\n\n?/m, ''),

  run: async (run) => {
    const settings = run.work.job.settings ?? {};
    const workspaceFile = allowedWorkspaceFile(settings['pnpm-workspace.yaml']);
    if (workspaceFile !== null) await writeFile(join(run.project, 'pnpm-workspace.yaml'), workspaceFile);
    await writeFile(join(run.project, '.npmrc'), allowedNpmrc(settings['.npmrc']));
    const { request } = run.work.job;
    const command = await commandOf(run);
    const environment = environmentOf(run);
    const start = (words: readonly string[], cwd = run.project): Promise<ProgramEnd> =>
      runProgram([...command, ...words], { cwd, env: environment, onLine: run.work.onLine });
    if (request.kind === 'add') {
      const added = await start(addArguments(request, workspaceFile), join(run.project, request.directory ?? '.'));
      // Of a workspace it has installed one member alone.
      if (added.code !== 0) return added;
    }
    return start(['install', '--frozen-lockfile']);
  },

  failureOf: (output, request) => {
    const code = /\bERR_PNPM_\w+/i.exec(output)?.[0] ?? '';
    const said = lastLines(output);
    if (/FETCH_404|NO_MATCHING_VERSION/.test(code)) return { failure: 'not_found', message: missing(output, request) };
    if (/INTEGRITY|BAD_TARBALL|TARBALL_EXTRACT/.test(code)) return { failure: 'integrity', message: said };
    if (/OUTDATED_LOCKFILE|LOCKFILE_CONFIG_MISMATCH|NO_LOCKFILE|LOCKFILE_BREAKING/.test(code))
      return { failure: 'out_of_step', message: said };
    if (/UNSUPPORTED_ENGINE|BAD_PM_VERSION/.test(code)) return { failure: 'other', message: said };
    return /ETIMEDOUT|ECONNRE|timed? ?out|META_FETCH_FAIL/i.test(output)
      ? { failure: 'unreachable', message: said }
      : { failure: 'other', message: said };
  },
};

async function commandOf({ directory }: JavascriptRun): Promise<readonly string[]> {
  const { name, bin } = mapIn(parseJson(await readFile(join(directory, 'package.json'), 'utf8')));
  if (name !== 'pnpm') return [join(directory, 'pnpm')];
  const program = mapIn(bin)['pnpm'];
  return [process.execPath, join(directory, typeof program === 'string' ? program : 'bin/pnpm.cjs')];
}

function addArguments(
  { name, version, dev, directory }: Extract<PackageRequest, { kind: 'add' }>,
  workspace: string | null,
): string[] {
  const isTop = directory === undefined && workspace !== null && /"packages":/.test(workspace);
  return [
    'add',
    dev ? '--save-dev' : '--save-prod',
    ...(isTop ? ['--workspace-root'] : []),
    version === undefined ? name : `${name}@${version}`,
  ];
}

/** Variables win over what the project's files say, and no file of the user's is read. pnpm 11 has another prefix for them. */
function environmentOf({ work, project, registry }: JavascriptRun): Readonly<Record<string, string>> {
  const { out, temporary, proxyUrl, env, job, grant } = work;
  const said = job.lockfile === null ? null : readPlainYaml(job.lockfile);
  const locked = mapIn(said?.kind === 'documents' ? said.documents.at(-1) : null, 'settings');
  const own = {
    registry: `${registry}/`,
    ignore_scripts: 'true',
    ignore_pnpmfile: 'true',
    store_dir: join(out, 'store'),
    cache_dir: join(out, 'cache'),
    state_dir: join(temporary, 'state'),
    package_import_method: 'copy',
    side_effects_cache: 'false',
    enable_global_virtual_store: 'false',
    // Its text would name directories of this sandbox.
    extend_node_path: 'false',
    manage_package_manager_versions: 'false',
    package_manager_strict: 'false',
    pm_on_fail: 'ignore',
    strict_dep_builds: 'false',
    engine_strict: 'false',
    update_notifier: 'false',
    verify_store_integrity: 'true',
    workspace_concurrency: '4',
    network_concurrency: '12',
    fetch_retries: '1',
    fetch_retry_mintimeout: '100',
    fetch_retry_maxtimeout: '1000',
    fetch_timeout: String(job.fetch_timeout_ms),
    frozen_lockfile: 'false',
    ...(job.request.kind === 'install' ? { minimum_release_age: '0' } : {}),
    ...Object.fromEntries(
      Object.entries(locked).flatMap(([key, value]) =>
        /^(?:autoInstallPeers|excludeLinksFromLockfile|injectWorkspacePackages|dedupePeers|peersSuffixMaxLength)$/.test(
          key,
        )
          ? [[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), String(value)]]
          : [],
      ),
    ),
    ...userSettings(grant.settings),
  };
  const variables = Object.entries(own).flatMap(([name, value]) => [
    [`npm_config_${name}`, value],
    [`pnpm_config_${name}`, value],
  ]);
  return {
    PATH: env['PATH'] ?? '',
    HOME: temporary,
    TMPDIR: temporary,
    CI: '1',
    INIT_CWD: project,
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    NO_PROXY: '127.0.0.1',
    ...(Object.fromEntries(variables) as Record<string, string>),
  };
}

/** Of the user's own, what decides how the manifest is written. */
function userSettings(settings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settings.flatMap((line) => {
      const [, name, value] = /^(save-exact|save-prefix)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name.replace('-', '_'), value]];
    }),
  );
}

/** Which package there is not: the requested one, or one that it needs. */
function missing(output: string, request: PackageRequest): string {
  const said = /No matching version found for (\S+)|\/((?:@[^/\s]+(?:\/|%2f))?[^/\s:]+): Not Found/i.exec(output);
  const absent = (said?.[1] ?? said?.[2])?.replace(/%2f/i, '/');
  if (request.kind === 'install') return absent ?? lastLines(output);
  const { name, version } = request;
  return absent === undefined || absent === name || absent.startsWith(`${name}@`)
    ? version === undefined
      ? name
      : `${name}@${version}`
    : `${absent}, which ${name} needs`;
}

/** What pnpm says of an error, without its progress. */
function lastLines(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:Progress:|Packages:|\++$|Scope:|Lockfile is up to date|WARN)/.test(line));
  return lines.slice(-12).join('\n').slice(-3_000);
}
