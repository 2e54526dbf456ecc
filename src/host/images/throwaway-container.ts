import { z } from 'zod';
import { type Engine, callEngine, expectEngine } from './engine-api.ts';

export interface ThrowawayRun {
  /** Image by id. */
  readonly image: string;
  readonly command: readonly string[];
  /** `uid:gid` */
  readonly user: string;
  /** Text of a seccomp profile, or no filter at all. Absent: the engine's own profile. */
  readonly seccomp?: string | 'unconfined';
  readonly environment?: readonly string[];
  readonly workingDirectory?: string;
  /** Added to the settings that every sandbox has. */
  readonly hostConfig?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
}

export interface ThrowawayResult {
  /** null: it was still running after `timeoutMs`. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outOfMemory: boolean;
}

/**
 * Runs one command in a container with the settings of every sandbox: no network, no capability, no new privileges, read-only. The container and its
 * anonymous volumes are always removed.
 *
 * @throws FluffyError `engine_refused`, `engine_unreachable`
 */
export async function runThrowaway(engine: Engine, run: ThrowawayRun): Promise<ThrowawayResult> {
  const created = await expectEngine(engine, {
    method: 'POST',
    path: '/containers/create',
    body: { kind: 'json', value: createRequest(run) },
  });
  const { Id: id } = z.object({ Id: z.string() }).parse(created);
  try {
    await expectEngine(engine, { method: 'POST', path: `/containers/${id}/start` });
    const exitCode = await exitCodeOf(engine, id, run.timeoutMs ?? 60_000);
    const { OOMKilled: outOfMemory } = await stateOf(engine, id);
    return { exitCode, outOfMemory, ...(await outputOf(engine, id)) };
  } finally {
    await callEngine(engine, { method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', v: 'true' } });
  }
}

function createRequest(run: ThrowawayRun): unknown {
  const seccomp = run.seccomp === undefined ? [] : [`seccomp=${run.seccomp}`];
  return {
    Image: run.image,
    Entrypoint: run.command.slice(0, 1),
    Cmd: run.command.slice(1),
    User: run.user,
    Env: run.environment ?? [],
    WorkingDir: run.workingDirectory ?? '/',
    Labels: { 'fluffy.role': 'throwaway' },
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'private',
      CgroupnsMode: 'private',
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges', ...seccomp],
      ReadonlyRootfs: true,
      ...run.hostConfig,
    },
  };
}

/** null if it still runs. A long silence of the engine is its fault only if the container has ended. */
async function exitCodeOf(engine: Engine, id: string, timeoutMs: number): Promise<number | null> {
  try {
    const waited = await expectEngine(engine, { method: 'POST', path: `/containers/${id}/wait`, timeoutMs });
    return z.object({ StatusCode: z.number() }).parse(waited).StatusCode;
  } catch (error) {
    if ((await stateOf(engine, id)).Running) return null;
    throw error;
  }
}

async function stateOf(engine: Engine, id: string) {
  const inspected = await expectEngine(engine, { method: 'GET', path: `/containers/${id}/json` });
  return z.object({ State: z.object({ OOMKilled: z.boolean(), Running: z.boolean() }) }).parse(inspected).State;
}

/** The engine puts a header of 8 bytes before each piece: its stream and its length. */
async function outputOf(engine: Engine, id: string): Promise<{ stdout: string; stderr: string }> {
  const query = { stdout: 'true', stderr: 'true' };
  const { body } = await callEngine(engine, { method: 'GET', path: `/containers/${id}/logs`, query });
  const pieces: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  for (let at = 0; at + 8 <= body.length;) {
    const length = body.readUInt32BE(at + 4);
    pieces[body[at] === 2 ? 'stderr' : 'stdout'].push(body.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return {
    stdout: Buffer.concat(pieces.stdout).toString('utf8'),
    stderr: Buffer.concat(pieces.stderr).toString('utf8'),
  };
}
