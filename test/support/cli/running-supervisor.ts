import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { ProjectKernel } from '../../../src/cli/supervisor/project-kernel.ts';
import { runSupervisor } from '../../../src/cli/supervisor/supervisor.ts';
import { DEFAULT_HOST_SETTINGS } from '../../../src/cli/supervisor/supervisor-options.ts';
import { runtimeDirs } from '../../../src/contracts/host-layout.ts';
import type { ProjectDirs } from '../../../src/contracts/host-layout.ts';

export interface RunningSupervisor {
  /** Resolves when it has ended, for whatever reason. */
  readonly over: Promise<void>;
  close(): Promise<void>;
}

/** A real supervisor of a project, in this process, with the settings `d`. Its kernel is none, and says that it runs this many sessions. */
export async function startSupervisor(
  { id, root }: Pick<ProjectDirs, 'id' | 'root'>,
  runtimeRoot: string,
  sessions = 0,
): Promise<RunningSupervisor> {
  const ending = new AbortController();
  const runtime = runtimeDirs(runtimeRoot);
  const kernel = {
    engine: { socketPath: '/no/engine' },
    kernel: { ping: () => Promise.resolve({ pid: 1, sessions }), stop: () => Promise.resolve() },
    checkPlace: () => Promise.resolve({ kind: 'same' }),
    close: () => Promise.resolve(),
  };
  const over = runSupervisor({
    options: {
      project_root: root,
      project_id: id,
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
      repo_root: root,
      settings: DEFAULT_HOST_SETTINGS,
      settings_digest: 'd',
      settings_parts: {},
      toolchain_stamp: 't',
      idle_ms: 600_000,
    },
    runtime,
    log: { write: () => undefined, flush: () => Promise.resolve() },
    report: () => undefined,
    start: () => Promise.resolve(kernel as unknown as ProjectKernel),
    signal: ending.signal,
  });
  await expect.poll(() => existsSync(runtime.supervisorSocket)).toBe(true);
  return {
    over,
    close: () => {
      ending.abort();
      return over;
    },
  };
}
