import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { rootCertificates } from 'node:tls';
import { PACKAGE_MANAGERS, PACKAGE_TREE } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageReport, PackageRequest, RegistryFacts } from '../../../src/contracts/sandbox/package-managers.ts';
import { ownValue } from '../../../src/lib/own-value.ts';
import { newCrates, readCargoLock } from '../../../src/lib/packages/cargo-lock.ts';
import type { LockedCrate } from '../../../src/lib/packages/cargo-lock.ts';
import { whyUnsafeArchive } from '../archive.ts';
import { explainCargo } from './cargo-failure.ts';
import { programOf } from '../package-work.ts';
import type { PackageWork } from '../package-work.ts';
import { askRegistryText, unknownFacts } from '../registry-facts.ts';
import { runProgram } from '../run-program.ts';
import type { ProgramEnd } from '../run-program.ts';

const { manifest, lockfile, directory } = PACKAGE_MANAGERS.cargo;
/** Packages that the registry is asked about. */
const MAX_FACTS = 20;
/** At one answer of the registry, within its time. */
const ATTEMPTS = 2;

type Cargo = (words: readonly string[]) => Promise<ProgramEnd>;

/** Runs cargo on manifest and lockfile, with no configuration but the user's registry. It compiles nothing, so no build script runs. */
export async function performCargo(work: PackageWork): Promise<PackageReport> {
  const { job, out } = work;
  const { request } = job;
  const project = join(out, PACKAGE_TREE);
  await mkdir(project);
  await writeFile(join(project, manifest), job.manifest);
  if (job.lockfile !== null) await writeFile(join(project, lockfile), job.lockfile);
  await standIns(project, job.manifest);
  const cargo = await preparedCargo(work, project);

  if (request.kind === 'add') {
    const added = await cargo(addArguments(request));
    if (added.code !== 0) return explainCargo(added, request);
  }
  const locked = request.kind === 'install' ? ['--locked'] : [];
  const ended = await cargo(['vendor', ...locked, '--respect-source-config', '--versioned-dirs', directory]);
  if (ended.code !== 0) return explainCargo(ended, request);
  const lockText = await readFile(join(project, lockfile), 'utf8');
  const lock = readCargoLock(lockText);
  if (lock.kind === 'unreadable') return { kind: 'failed', failure: 'other', message: `${lockfile}: ${lock.why}` };

  const unsafe = await firstUnsafe(join(out, 'home'));
  if (unsafe !== null) return { kind: 'failed', failure: 'unsafe_archive', message: unsafe };
  await mkdir(join(project, directory), { recursive: true });
  // The layer is no part of the project, whatever its own .gitignore says.
  await writeFile(join(project, directory, '.gitignore'), '*\n');
  return {
    kind: 'done',
    manifest: await readFile(join(project, manifest), 'utf8'),
    lockfile: lockText,
    facts: await factsOf(work, project, lock.crates),
    scripts_run: [],
    scripts_skipped: [],
  };
}

function addArguments({ name, version, dev, features = [] }: Extract<PackageRequest, { kind: 'add' }>): string[] {
  const named = features.length === 0 ? [] : [`--features=${features.join(',')}`];
  return [
    'add',
    '--quiet',
    ...(dev ? ['--dev'] : []),
    ...named,
    '--',
    version === undefined ? name : `${name}@${version}`,
  ];
}

/** cargo reads no manifest whose sources are not there. It sees none of them: empty files stand in. */
async function standIns(project: string, text: string): Promise<void> {
  const paths = ['src/lib.rs'];
  for (const [, kind = '', body = ''] of text.matchAll(
    /^\s*\[\[?(lib|bin|test|bench|example)\]\]?\s*\n((?:(?!\s*\[)[^\n]*\n?)*)/gm,
  )) {
    const own = /^\s*path\s*=\s*"([^"]+)"/m.exec(body)?.[1];
    const name = /^\s*name\s*=\s*"([^"]+)"/m.exec(body)?.[1];
    if (own !== undefined) paths.push(own);
    else if (name !== undefined && kind !== 'lib') paths.push(`${ownValue(PLACES, kind) ?? 'src/bin'}/${name}.rs`);
  }
  const build = /^\s*build\s*=\s*"([^"]+)"/m.exec(text)?.[1];
  for (const path of [...paths, ...(build === undefined ? [] : [build])]) {
    const clean = posix.normalize(path);
    if (clean.startsWith('..') || clean.startsWith('/')) continue;
    await mkdir(dirname(join(project, clean)), { recursive: true });
    await writeFile(join(project, clean), '', { flag: 'a' });
  }
}

const PLACES: Readonly<Record<string, string>> = { test: 'tests', bench: 'benches', example: 'examples' };

/** cargo with a home of its own, in which nothing is of the user's but the registry. */
async function preparedCargo(
  { grant, job, out, temporary, proxyUrl, onLine }: PackageWork,
  project: string,
): Promise<Cargo> {
  const home = join(out, 'home');
  await mkdir(home);
  const certificates = join(temporary, 'ca.pem');
  await writeFile(certificates, [...rootCertificates, ...grant.extra_ca].join('\n'));
  const seconds = Math.max(1, Math.round(job.fetch_timeout_ms / 1000 / ATTEMPTS));
  const text = (value: string): string => JSON.stringify(value);
  const lines = [
    '[http]',
    `proxy = ${text(proxyUrl)}`,
    `cainfo = ${text(certificates)}`,
    `timeout = ${seconds}`,
    'multiplexing = false',
    '[net]',
    `retry = ${ATTEMPTS - 1}`,
    '[term]',
    'color = "never"',
    '[source.crates-io]',
    'replace-with = "user"',
    '[source.user]',
    `registry = ${text(`sparse+${grant.registry}`)}`,
  ];
  await writeFile(join(home, 'config.toml'), `${lines.join('\n')}\n`);
  const env = { PATH: dirname(programOf(grant)), HOME: temporary, TMPDIR: temporary, CARGO_HOME: home };
  return (words) => runProgram([programOf(grant), ...words], { cwd: project, env, onLine });
}

/** Looks at the archives as they came. */
async function firstUnsafe(home: string): Promise<string | null> {
  const entries = await readdir(join(home, 'registry/cache'), { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries.filter(({ name }) => name.endsWith('.crate'))) {
    const why = whyUnsafeArchive(await readFile(join(entry.parentPath, entry.name)));
    if (why !== null) return `${entry.name}: ${why}`;
  }
  return null;
}

/** What is known of crates that HEAD does not have, the requested one first. */
async function factsOf(work: PackageWork, project: string, crates: readonly LockedCrate[]): Promise<RegistryFacts[]> {
  const { request, base_lockfile: earlier } = work.job;
  const requested = request.kind === 'add' ? request.name : null;
  const before = earlier === null ? null : readCargoLock(earlier);
  const added = newCrates(before?.kind === 'lock' ? before.crates : [], crates)
    .toSorted((a, b) => Number(b.name === requested) - Number(a.name === requested))
    .slice(0, MAX_FACTS);
  return Promise.all(
    added.map(async ({ name, version }) => ({
      ...unknownFacts(name, version),
      published_ms: publishedMs((await askRegistryText(work, indexPath(name))) ?? '', version),
      licence: await licenceOf(join(project, directory, `${name}-${version}`, manifest)),
    })),
  );
}

/** Where a sparse index has a crate. */
function indexPath(crate: string): string {
  const name = crate.toLowerCase();
  if (name.length <= 2) return `${name.length}/${name}`;
  return name.length === 3 ? `3/${name.slice(0, 1)}/${name}` : `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

/** An index has one line of JSON for each version; not every one says when it was published. */
function publishedMs(index: string, version: string): number | null {
  const line = index
    .split('\n')
    .find((each) => each.includes(`"vers":"${version}"`) || each.includes(`"vers": "${version}"`));
  const published = Date.parse(/"pubtime":\s*"([^"]+)"/.exec(line ?? '')?.[1] ?? '');
  return Number.isFinite(published) ? published : null;
}

async function licenceOf(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^license = "([^"]{1,200})"$/m.exec(text)?.[1] ?? null;
}
