import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageReportSchema } from '../../../src/contracts/sandbox/package-managers.ts';
import type {
  MemberManifests,
  PackageManagerName,
  PackageReport,
  PackageRequest,
  SettingFiles,
} from '../../../src/contracts/sandbox/package-managers.ts';
import { openPackageSockets } from '../../../src/host/packages/package-sockets.ts';
import { runJob } from '../../../tool-plugins/package-tool/run-job.ts';

export interface GivenJob {
  readonly manager: PackageManagerName;
  /** A directory of the test alone. */
  readonly home: string;
  /** What the user's configuration says, as variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly request: PackageRequest;
  readonly manifest: string;
  readonly lockfile: string | null;
  readonly members?: MemberManifests | undefined;
  readonly settings?: SettingFiles | undefined;
  /** The lockfile of HEAD; absent: it has none. */
  readonly base?: string | null;
  readonly installScripts?: readonly string[];
  readonly fetchTimeoutMs?: number;
}

export interface DoneJob {
  readonly report: PackageReport;
  readonly attempts: readonly object[];
  /** The directory in which it left the report and the packages. */
  readonly out: string;
  /** What it kept for people who wait. */
  readonly counts: string;
}

/** A package manager itself, with the host's sockets and the real egress gate, in directories that stand for those of its sandbox. */
export async function performJob(given: GivenJob): Promise<DoneJob> {
  const places = await makePlaces(given.home);
  const sockets = await openPackageSockets({
    directory: places.sockets,
    manager: given.manager,
    installScripts: given.installScripts ?? [],
    env: { PATH: process.env['PATH'], HOME: given.home, ...given.env },
    log: () => undefined,
  });
  const { request, manifest, lockfile, members, settings, fetchTimeoutMs = 30_000 } = given;
  const job = {
    request,
    manifest,
    lockfile,
    members,
    settings,
    base_lockfile: given.base ?? null,
    fetch_timeout_ms: fetchTimeoutMs,
  };
  await writeFile(join(places.out, 'job.json'), JSON.stringify(job));
  try {
    const { out, temporary } = places;
    const [gatePath, secretPath] = ['egress.sock', 'secret.sock'].map((name) => join(places.sockets, name)) as [
      string,
      string,
    ];
    await runJob({ out, temporary, gatePath, secretPath }, process.env);
    const report = packageReportSchema.parse(JSON.parse(await readFile(join(out, 'report.json'), 'utf8')));
    const counts = await readFile(join(out, 'counts'), 'utf8').catch(() => '');
    return { report, attempts: sockets.attempts(), out, counts };
  } finally {
    await sockets.close();
  }
}

async function makePlaces(home: string) {
  const round = await mkdtemp(join(home, 'r-'));
  const places = { sockets: join(round, 's'), out: join(round, 'o'), temporary: join(round, 't') };
  for (const path of Object.values(places)) await mkdir(path);
  return places;
}

export function expectDone(report: PackageReport): Extract<PackageReport, { kind: 'done' }> {
  if (report.kind === 'failed') throw new Error(`${report.failure}: ${report.message}`);
  return report;
}
