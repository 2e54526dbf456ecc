import { createHash } from 'node:crypto';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PackageFailure, PackageReport } from '../../../src/contracts/sandbox/package-managers.ts';
import type { ProgramDigest } from '../../../src/lib/packages/named-program.ts';
import { NoWayOut } from '../../sdk/through-gate.ts';
import { readArchive } from '../archive.ts';
import { strongest } from './npm-identity.ts';
import type { NpmRegistry } from './npm-registry.ts';
import type { PackageWork } from '../package-work.ts';
import { followThroughGate, readAnswer } from '../registry-facts.ts';

/** A program that a registry has as a package. */
export interface WantedProgram {
  readonly package: string;
  /** Exact, or the newest of a major version. */
  readonly version:
    { readonly kind: 'exact'; readonly version: string } | { readonly kind: 'newest'; readonly major: number };
  /** Of the archive, as the project names it. */
  readonly digest: ProgramDigest | null;
}

export type ObtainedProgram =
  | { readonly kind: 'program'; readonly directory: string; readonly version: string }
  | { readonly kind: 'failed'; readonly report: PackageReport };

/** This host's own program of that version, or else the one that the user's registry has, by the registry's digest and that of the project. */
export async function obtainProgram(
  work: PackageWork,
  registry: NpmRegistry,
  wanted: WantedProgram,
): Promise<ObtainedProgram> {
  const isWanted = (version: string): boolean =>
    wanted.version.kind === 'exact' ? version === wanted.version.version : majorOf(version) === wanted.version.major;
  const here = work.grant.programs.find(({ version }) => isWanted(version));
  if (here !== undefined) return { kind: 'program', directory: here.path, version: here.version };
  const words = `${wanted.package}@${wanted.version.kind === 'exact' ? wanted.version.version : wanted.version.major}`;
  const versions = await registry.versions(wanted.package);
  if (versions === null) return whyUnreachable(work, registry, wanted.package, words);
  const version = versions
    .filter((each) => isWanted(each) && (wanted.version.kind === 'exact' || !each.includes('-')))
    .sort(byVersion)
    .at(-1);
  const known = version === undefined ? 'absent' : await registry.version(wanted.package, version);
  if (version === undefined || known === null || known === 'absent' || known.tarball === null)
    return failed('not_found', `${words}, the program that installs the packages and that this machine does not have`);
  const answer = await followThroughGate(new URL(known.tarball), work, '*/*').catch((error: unknown) => String(error));
  const bytes = typeof answer === 'string' || answer.statusCode !== 200 ? null : await readAnswer(answer);
  if (bytes === null) return failed('unreachable', `${words}: ${typeof answer === 'string' ? answer : 'no archive'}`);
  const why = whyAnother(bytes, known.digests, wanted.digest);
  if (why !== null)
    return failed('integrity', `${wanted.package}@${version}, the program that installs the packages: ${why}`);
  const directory = join(work.out, 'programs', wanted.package);
  const read = await unpack(bytes, directory);
  return read === null
    ? { kind: 'program', directory, version }
    : failed('unsafe_archive', `${wanted.package}@${version}: ${read}`);
}

/** The registry has not answered: in its own words, or those of the gate. */
async function whyUnreachable(
  work: PackageWork,
  registry: NpmRegistry,
  name: string,
  words: string,
): Promise<ObtainedProgram> {
  const what = `${words}, the program that installs the packages`;
  try {
    const answer = await followThroughGate(
      new URL(`${registry.addressFor(name)}${name.replace('/', '%2f')}`),
      work,
      '*/*',
    );
    answer.destroy();
    return failed('unreachable', `${what}: it answers with status ${answer.statusCode ?? 0}`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed(error instanceof NoWayOut && error.refused ? 'refused' : 'unreachable', `${what}: ${message}`);
  }
}

function whyAnother(bytes: Buffer, published: readonly string[], named: ProgramDigest | null): string | null {
  const hash = (algorithm: string, encoding: 'hex' | 'base64'): string =>
    createHash(algorithm).update(bytes).digest(encoding);
  const digests = strongest(published);
  if (
    !digests.some(
      (digest) => digest === `${digest.split('-')[0] ?? ''}-${hash(digest.split('-')[0] ?? 'sha512', 'base64')}`,
    )
  )
    return 'the registry gives another digest';
  return named === null || hash(named.algorithm, 'hex') === named.hex
    ? null
    : `packageManager of package.json gives another digest (${named.algorithm})`;
}

async function unpack(bytes: Buffer, directory: string): Promise<string | null> {
  const read = readArchive(bytes);
  if (read.kind === 'unsafe') return read.why;
  for (const { path, isExecutable, content } of read.files) {
    const to = join(directory, path.replace(/^(?:\.\/)*[^/]+\//, ''));
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, content);
    if (isExecutable) await chmod(to, 0o755);
  }
  return null;
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function failed(failure: PackageFailure, message: string): ObtainedProgram {
  return { kind: 'failed', report: { kind: 'failed', failure, message: message.slice(0, 4_000) } };
}
