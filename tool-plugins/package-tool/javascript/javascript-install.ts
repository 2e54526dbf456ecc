import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PACKAGE_MANAGERS, PACKAGE_TREE } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageFailure, PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { newEntries } from '../../../src/lib/packages/javascript-lock.ts';
import type { JavascriptLockOutcome, LockEntry } from '../../../src/lib/packages/javascript-lock.ts';
import { obtainProgram } from './fetch-program.ts';
import type { WantedProgram } from './fetch-program.ts';
import { findInstalled, runInstallScripts } from './install-scripts.ts';
import { strongest } from './npm-identity.ts';
import { factsOfNew } from './npm-facts.ts';
import { openNpmMirror } from './npm-mirror.ts';
import type { NpmMirror } from './npm-mirror.ts';
import { openNpmRegistry } from './npm-registry.ts';
import type { NpmRegistry } from './npm-registry.ts';
import type { PackageWork } from '../package-work.ts';
import type { ProgramEnd } from '../run-program.ts';
import { readMembers, writeMembers } from './workspace-members.ts';

/** What a run of one package manager works with. */
export interface JavascriptRun {
  readonly work: PackageWork;
  /** Where manifest, lockfile and members are. */
  readonly project: string;
  /** In place of the user's registry. */
  readonly registry: string;
  /** Its program, unpacked. */
  readonly directory: string;
  readonly version: string;
}

/** A package manager of JavaScript that has its program from this host or from the registry, and writes each package into its lockfile once. */
export interface JavascriptProgram {
  readonly name: 'pnpm' | 'yarn';
  readLock(text: string): JavascriptLockOutcome;
  /** Which program, by what manifest and lockfile say. */
  wanted(job: PackageWork['job']): WantedProgram | { readonly failed: string };
  /** The lockfile as the program gets it, with the registry that it is given. */
  lockfileFor(text: string, registry: string): string;
  /** What the program has written, with the addresses of the user's registry again; absent: it writes none. */
  lockfileFrom?(text: string, registry: string, work: PackageWork): string;
  /** Writes its settings, and does what is requested. */
  run(run: JavascriptRun): Promise<ProgramEnd>;
  failureOf(output: string, request: PackageRequest): { readonly failure: PackageFailure; readonly message: string };
}

/** Adds or installs packages. Nothing is reported as done whose archives did not pass through the mirror, and no script has run before that is known. */
export async function performJavascript(work: PackageWork, program: JavascriptProgram): Promise<PackageReport> {
  const { job } = work;
  const registry = openNpmRegistry(work);
  const wanted = program.wanted(job);
  if ('failed' in wanted) return failed('other', wanted.failed);
  const obtained = await obtainProgram(work, registry, wanted);
  if (obtained.kind === 'failed') return obtained.report;
  const mirror = await openNpmMirror(work, registry);
  try {
    const project = await writeProject(work, program, mirror.url);
    const ended = await program.run({ work, project, registry: mirror.url, ...obtained });
    const [lost] = mirror.failures;
    if (lost !== undefined) return failed(lost.failure, lost.message);
    if (ended.code !== 0) {
      const { failure, message } = program.failureOf(
        ended.output.replaceAll(mirror.url, work.grant.registry),
        job.request,
      );
      return failed(failure, message);
    }
    return await reportOf({ work, project, program, registry, mirror });
  } finally {
    mirror.close();
    await rm(join(work.out, 'programs'), { recursive: true, force: true });
  }
}

async function writeProject({ job, out }: PackageWork, program: JavascriptProgram, registry: string): Promise<string> {
  const { manifest, lockfile } = PACKAGE_MANAGERS[program.name];
  const project = join(out, PACKAGE_TREE);
  await mkdir(project);
  await writeFile(join(project, manifest), job.manifest);
  if (job.lockfile !== null) await writeFile(join(project, lockfile), program.lockfileFor(job.lockfile, registry));
  await writeMembers(project, job.members ?? {});
  return project;
}

interface Installed {
  readonly work: PackageWork;
  readonly project: string;
  readonly program: JavascriptProgram;
  readonly registry: NpmRegistry;
  readonly mirror: NpmMirror;
}

async function reportOf({ work, project, program, registry, mirror }: Installed): Promise<PackageReport> {
  const { job, grant } = work;
  const { manifest, lockfile } = PACKAGE_MANAGERS[program.name];
  const written = await readFile(join(project, lockfile), 'utf8');
  // An installation that changes its lockfile does not pass for one that does not.
  const isKept = job.lockfile !== null && written === program.lockfileFor(job.lockfile, mirror.url);
  const changed = program.lockfileFrom?.(written, mirror.url, work) ?? written;
  const text = isKept && job.lockfile !== null ? job.lockfile : changed;
  const lock = program.readLock(text);
  if (lock.kind === 'unreadable') return failed('other', `${lockfile}: ${lock.why}`);
  const other = lock.packages.find((each) => isAnotherArchive(each, mirror));
  if (other !== undefined)
    return failed('integrity', `${other.name}@${other.version} is not the archive whose digest ${lockfile} gives`);

  const scripted = [...mirror.archives.values()].filter(({ hasScript }) => hasScript);
  const allowed = scripted.filter(({ name }) => grant.install_scripts.includes(name));
  for (const { name, version, digests } of allowed) {
    // Code of theirs will run: the registry must confirm it too.
    const known = await registry.version(name, version);
    if (known === null || known === 'absent' || !known.digests.some((each) => digests.includes(each)))
      return failed('impostor', `the registry has another archive of ${name}@${version}`);
  }
  const base = job.base_lockfile === null ? null : program.readLock(job.base_lockfile);
  const facts = await factsOfNew(job, registry, newEntries(base?.kind === 'lock' ? base.packages : [], lock.packages));
  const why = await runAllowed(work, project, allowed);
  if (why !== null) return failed('other', `An install script failed: ${why}`);
  const namesOf = (list: typeof scripted): string[] => [...new Set(list.map(({ name }) => name))].slice(0, 100);
  return {
    kind: 'done',
    manifest: await readFile(join(project, manifest), 'utf8'),
    lockfile: text,
    members: await readMembers(project, Object.keys(job.members ?? {})),
    facts,
    scripts_run: namesOf(allowed),
    scripts_skipped: namesOf(scripted.filter((each) => !allowed.includes(each))),
  };
}

function isAnotherArchive({ name, version, digest }: LockEntry, mirror: NpmMirror): boolean {
  const seen = mirror.archives.get(`${name}@${version}`);
  const digests = strongest(digest?.split(/\s+/) ?? []);
  return seen !== undefined && digests.length > 0 && !digests.every((each) => seen.digests.includes(each));
}

async function runAllowed(
  { env, job, temporary }: PackageWork,
  project: string,
  allowed: readonly { readonly name: string; readonly version: string }[],
): Promise<string | null> {
  if (allowed.length === 0) return null;
  const wanted = new Set(allowed.map(({ name, version }) => `${name}@${version}`));
  const own = job.interpreter === undefined ? [] : [dirname(job.interpreter)];
  const environment = { PATH: [...own, env['PATH'] ?? ''].join(':'), HOME: temporary, TMPDIR: temporary };
  for (const directory of await findInstalled(project, wanted)) {
    const why = await runInstallScripts(directory, project, environment);
    if (why !== null) return why;
  }
  return null;
}

function failed(failure: PackageFailure, message: string): PackageReport {
  return { kind: 'failed', failure, message: message.slice(0, 4_000) };
}
