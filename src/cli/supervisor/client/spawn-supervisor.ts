import { spawn } from 'node:child_process';
import { existsSync, openSync, closeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import type { SupervisorOptions } from '../supervisor-options.ts';
import { fromWire, startReport } from '../supervisor-protocol.ts';

export interface SpawnRequest {
  readonly options: SupervisorOptions;
  /** The host's directory of the project, for the process's last output. */
  readonly hostDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (text: string) => void;
}

const MAX_LAST_WORDS = 2_000;

/**
 * Starts the project's supervisor as a process that outlives this one. Resolves when it serves, or when another one does.
 *
 * @throws FluffyError the supervisor's failure, or `supervisor_failed`
 */
export async function spawnSupervisor(request: SpawnRequest): Promise<void> {
  const { options } = request;
  const lastWords = join(request.hostDirectory, 'supervisor.stderr');
  const output = openSync(lastWords, 'w', 0o600);
  const child = spawn(process.execPath, [programPath(options.repo_root), JSON.stringify(options)], {
    detached: true,
    cwd: '/',
    env: { ...request.env, NODE_OPTIONS: undefined },
    stdio: ['ignore', output, output, 'pipe'],
  });
  closeSync(output);
  const reports = child.stdio[3] as Readable;
  // A process that can't be started closes the pipe without a report.
  child.on('error', () => reports.destroy());
  reports.on('error', () => undefined);
  child.unref();
  try {
    for await (const line of createInterface({ input: reports })) {
      const report = startReport.parse(JSON.parse(line));
      if (report.kind === 'progress') request.onProgress(report.text);
      else if (report.kind === 'failed') throw fromWire(report.error);
      else return;
    }
  } finally {
    reports.destroy();
  }
  const words = (await readFile(lastWords, 'utf8').catch(() => '')).trim().slice(-MAX_LAST_WORDS);
  throw new FluffyError({
    code: 'supervisor_failed',
    what: "The project's supervisor ended before it could serve",
    why: words === '' ? 'it printed nothing' : words,
    fix: 'run `fluffy doctor`',
    exitCode: EXIT.kernelCrashed,
  });
}

/** The bundle if there is one, else the source, which Node runs directly. */
function programPath(repoRoot: string): string {
  const bundle = join(repoRoot, 'dist/supervisor.mjs');
  return existsSync(bundle) ? bundle : join(repoRoot, 'src/cli/supervisor/main.ts');
}
