import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectDirs, runtimeDirs, userDirs } from '../../contracts/host-layout.ts';
import { openBoundedLog } from '../../host/runtime-guard/bounded-log.ts';
import { withFileLock } from '../../host/file-lock.ts';
import { startProjectKernel } from './project-kernel.ts';
import { prepareRuntimeRoot, recordedRuntimeRoot, removeRuntimeRoot, supervisorLock } from './runtime-directory.ts';
import { noteSettings } from './settings-in-use.ts';
import { isServing } from './is-serving.ts';
import { runSupervisor } from './supervisor.ts';
import { supervisorOptionsSchema, type SupervisorOptions } from './supervisor-options.ts';
import { asFluffyError, toWire, type StartReport } from './supervisor-protocol.ts';
import { HostChain, anchorFollowed } from './host/host-chain.ts';
import { hostAnchor } from './host/host-anchor.ts';

/**
 * The process of one project's supervisor: started detached by the first CLI, with its options as the only argument and a pipe for reports as
 * descriptor 3. It holds the project's lock while it lives; if another one already serves, it ends at once.
 */
async function main(argument: string): Promise<void> {
  const report = openReports();
  try {
    await supervise(supervisorOptionsSchema.parse(JSON.parse(argument)), report);
  } catch (error) {
    report({ kind: 'failed', error: toWire(asFluffyError(error)) });
    process.exitCode = 1;
  }
}

async function supervise(options: SupervisorOptions, report: (report: StartReport) => void): Promise<void> {
  process.umask(0o077);
  const user = userDirs(process.env);
  const dirs = projectDirs(user, options.project_root, options.project_id);
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ending.abort());
  // The supervisor survives the closing of the CLI's terminal.
  process.on('SIGHUP', () => undefined);

  const waiting = new AbortController();
  await withFileLock(
    supervisorLock(dirs.host),
    {
      signal: AbortSignal.any([waiting.signal, ending.signal]),
      onWait: () => void abortWhenServing(dirs.host, waiting),
    },
    async () => {
      waiting.abort();
      const place = { host: dirs.host, projectId: dirs.id, stateHome: user.stateHome };
      const runtime = runtimeDirs(await prepareRuntimeRoot(place, process.env['XDG_RUNTIME_DIR']));
      await noteSettings(dirs.host, options.settings_parts);
      const log = openBoundedLog(join(dirs.host, 'supervisor.log'), Date.now);
      log.write({ event: 'started', pid: process.pid });
      const followedLog = new HostChain(user, dirs);
      await runSupervisor({
        options,
        runtime,
        log,
        report,
        signal: ending.signal,
        start: (onProgress, onKernelEvent) =>
          startProjectKernel({
            options,
            user,
            dirs,
            runtime,
            env: process.env,
            followedLog,
            anchor: anchorFollowed(followedLog, hostAnchor(user, dirs, Date.now)),
            log,
            onProgress,
            onKernelEvent,
          }),
      });
      await removeRuntimeRoot(dirs.host, runtime.root);
      log.write({ event: 'ended', pid: process.pid });
      await log.flush();
    },
  ).catch((error: unknown) => {
    if (!waiting.signal.aborted || !(error instanceof Error) || error.name !== 'AbortError') throw error;
    report({ kind: 'serving' });
  });
}

/** Another process has the lock: it serves, starts, or is about to end. This process is not needed once the other one serves. */
async function abortWhenServing(host: string, waiting: AbortController): Promise<void> {
  while (!waiting.signal.aborted) {
    const root = await recordedRuntimeRoot(host);
    if (root !== null && (await isServing(runtimeDirs(root).supervisorSocket))) waiting.abort();
    else await sleep(100, undefined, { signal: waiting.signal }).catch(() => undefined);
  }
}

function openReports(): (report: StartReport) => void {
  const stream = createWriteStream('', { fd: 3, autoClose: true });
  // The starter may already be gone, or there may be none.
  stream.on('error', () => undefined);
  return (report) => {
    stream.write(`${JSON.stringify(report)}\n`);
    if (report.kind !== 'progress') stream.end();
  };
}

await main(process.argv[2] ?? '');
