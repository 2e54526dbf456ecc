import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Engine, callEngine, expectEngine } from '../../src/host/images/engine-api.ts';

export interface ContainerRun {
  readonly image: string;
  readonly command: readonly string[];
  /** Path of a profile, or no filter at all: the control that shows what the filter makes. */
  readonly seccomp: string | 'unconfined';
  readonly binds?: readonly string[];
}

export interface ContainerResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command in a container with the settings every sandbox has (no network, no capability, read-only, uid 1000), and removes it. */
export async function runInContainer(engine: Engine, run: ContainerRun): Promise<ContainerResult> {
  const seccomp = run.seccomp === 'unconfined' ? 'unconfined' : await readFile(run.seccomp, 'utf8');
  const created = await expectEngine(engine, {
    method: 'POST',
    path: '/containers/create',
    body: {
      kind: 'json',
      value: {
        Image: run.image,
        Entrypoint: run.command.slice(0, 1),
        Cmd: run.command.slice(1),
        User: '1000:1000',
        Env: ['HOME=/tmp'],
        WorkingDir: '/tmp',
        Labels: { 'fluffy.role': 'test' },
        NetworkDisabled: true,
        HostConfig: {
          NetworkMode: 'none',
          CapDrop: ['ALL'],
          SecurityOpt: ['no-new-privileges', `seccomp=${seccomp}`],
          ReadonlyRootfs: true,
          Tmpfs: { '/tmp': 'rw,exec,nosuid,nodev,mode=1777,size=64m' },
          PidsLimit: 100,
          Memory: 512 * 1024 * 1024,
          Binds: run.binds ?? [],
        },
      },
    },
  });
  const { Id: id } = z.object({ Id: z.string() }).parse(created);
  try {
    await expectEngine(engine, { method: 'POST', path: `/containers/${id}/start` });
    const waited = await expectEngine(engine, { method: 'POST', path: `/containers/${id}/wait`, timeoutMs: 60_000 });
    const { StatusCode: exitCode } = z.object({ StatusCode: z.number() }).parse(waited);
    return { exitCode, ...(await outputOf(engine, id)) };
  } finally {
    await callEngine(engine, { method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', v: 'true' } });
  }
}

async function outputOf(engine: Engine, id: string): Promise<{ stdout: string; stderr: string }> {
  const query = { stdout: 'true', stderr: 'true' };
  const { body } = await callEngine(engine, { method: 'GET', path: `/containers/${id}/logs`, query });
  const out = { stdout: '', stderr: '' };
  for (let at = 0; at + 8 <= body.length;) {
    const length = body.readUInt32BE(at + 4);
    const text = body.subarray(at + 8, at + 8 + length).toString('utf8');
    if (body[at] === 2) out.stderr += text;
    else out.stdout += text;
    at += 8 + length;
  }
  return out;
}
