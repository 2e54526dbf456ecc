import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IN_L2 } from '../../src/contracts/sandbox/container-paths.ts';
import {
  PACKAGE_JOB_FILE,
  PACKAGE_REPORT_FILE,
  packageGrantSchema,
  packageJobSchema,
} from '../../src/contracts/sandbox/package-managers.ts';
import type { PackageManagerName, PackageReport } from '../../src/contracts/sandbox/package-managers.ts';
import { connect } from '../../src/ipc/index.ts';
import { openLoopbackProxy } from '../sdk/loopback-proxy.ts';
import { performCargo } from './cargo/cargo.ts';
import { performGo } from './go/go.ts';
import { performNpm } from './javascript/npm.ts';
import { performPnpm } from './javascript/pnpm.ts';
import { performYarn } from './javascript/yarn.ts';
import { performPip } from './python/pip.ts';
import { performPyproject } from './python/pyproject.ts';
import { packageCounter } from './package-counter.ts';
import type { PackageWork, PerformPackages } from './package-work.ts';

/** Places of the sandbox; tests have others. */
export interface PackagePlaces {
  readonly out: string;
  readonly temporary: string;
  readonly gatePath: string;
  readonly secretPath: string;
}

export const SANDBOX_PLACES: PackagePlaces = {
  out: IN_L2.out,
  temporary: '/tmp',
  gatePath: IN_L2.egressSocket,
  secretPath: IN_L2.secretSocket,
};

const MANAGERS: Readonly<Record<PackageManagerName, PerformPackages>> = {
  npm: performNpm,
  pnpm: performPnpm,
  yarn: performYarn,
  pip: performPip,
  pyproject: performPyproject,
  uv: performPyproject,
  pdm: performPyproject,
  pylock: performPyproject,
  cargo: performCargo,
  go: performGo,
};

/** Does the job that the kernel has left, and leaves a report. */
export async function runJob(places: PackagePlaces, env: PackageWork['env']): Promise<void> {
  const { out, temporary, gatePath } = places;
  const jobPath = join(out, PACKAGE_JOB_FILE);
  const job = packageJobSchema.parse(JSON.parse(await readFile(jobPath, 'utf8')));
  await rm(jobPath);
  const grant = packageGrantSchema.parse(JSON.parse(await readAll(places.secretPath)));
  const proxy = await openLoopbackProxy(gatePath);
  try {
    const work = {
      grant,
      job,
      out,
      temporary,
      gatePath,
      proxyUrl: proxy.url,
      hasLostConnections: () => proxy.failures.length > 0,
      onLine: packageCounter(grant.manager, job, out),
      env,
    };
    const answer = await MANAGERS[grant.manager](work);
    const explained = explain(answer, proxy.failures);
    await writeFile(join(out, PACKAGE_REPORT_FILE), JSON.stringify(explained), { flag: 'wx' });
  } finally {
    proxy.close();
  }
}

/** A package manager knows only that its proxy said no: the gate has said why. */
function explain(
  answer: PackageReport,
  failures: readonly { readonly message: string; readonly refused: boolean }[],
): PackageReport {
  const [first] = failures;
  if (answer.kind !== 'failed' || first === undefined || answer.failure === 'not_found') return answer;
  return { kind: 'failed', failure: first.refused ? 'refused' : 'unreachable', message: first.message };
}

async function readAll(socketPath: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of (await connect(socketPath)) as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
