import { readFile } from 'node:fs/promises';
import type { Engine } from '../../src/host/images/engine-api.ts';
import { type ThrowawayResult, runThrowaway } from '../../src/host/images/throwaway-container.ts';

export interface ContainerRun {
  readonly image: string;
  readonly command: readonly string[];
  /** Path of a profile, or no filter at all: the control that shows what the filter makes. */
  readonly seccomp: string | 'unconfined';
  readonly binds?: readonly string[];
}

/** Runs one command as uid 1000 with the settings every sandbox has and a writable /tmp. */
export async function runInContainer(engine: Engine, run: ContainerRun): Promise<ThrowawayResult> {
  return runThrowaway(engine, {
    image: run.image,
    command: run.command,
    user: '1000:1000',
    seccomp: run.seccomp === 'unconfined' ? run.seccomp : await readFile(run.seccomp, 'utf8'),
    environment: ['HOME=/tmp'],
    workingDirectory: '/tmp',
    hostConfig: {
      Tmpfs: { '/tmp': 'rw,exec,nosuid,nodev,mode=1777,size=64m' },
      PidsLimit: 100,
      Memory: 512 * 1024 * 1024,
      Binds: run.binds ?? [],
    },
  });
}
