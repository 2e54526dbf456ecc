import { z } from 'zod';
import { type Engine, callEngine, engineRefused, expectEngine } from './engine-api.ts';

/** Node must run; git and a shell must be there. Python is optional, but if it is there it must work. */
const SCRIPT = [
  `node -e "require('node:crypto').createHash('sha256')"`,
  'git --version >/dev/null',
  'ls / | sort | grep -q usr',
  'if [ -x /usr/bin/python3 ]; then python3 -c "import json, unittest, hashlib, ssl, sqlite3"; fi',
].join(' && ');

/**
 * Runs an image's programs once, in a container without network, as nobody: a library that was overlooked is found at set-up, by
 * name, not in the middle of somebody's task.
 *
 * @throws FluffyError `engine_refused` with what the program printed.
 */
export async function smokeTestBase(engine: Engine, image: string): Promise<void> {
  const created = await expectEngine(engine, {
    method: 'POST',
    path: '/containers/create',
    body: {
      kind: 'json',
      value: {
        Image: image,
        Entrypoint: ['/bin/sh', '-c', SCRIPT],
        Cmd: [],
        User: '65534:65534',
        Labels: { 'fluffy.role': 'image-check' },
        NetworkDisabled: true,
        HostConfig: { NetworkMode: 'none', CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], ReadonlyRootfs: true },
      },
    },
  });
  const { Id: id } = z.object({ Id: z.string() }).parse(created);
  try {
    await expectEngine(engine, { method: 'POST', path: `/containers/${id}/start` });
    const waited = await expectEngine(engine, { method: 'POST', path: `/containers/${id}/wait`, timeoutMs: 60_000 });
    const { StatusCode: status } = z.object({ StatusCode: z.number() }).parse(waited);
    if (status !== 0)
      throw engineRefused('the base image does not work here', (await containerOutput(engine, id)) || `exit ${status}`);
  } finally {
    await callEngine(engine, { method: 'DELETE', path: `/containers/${id}`, query: { force: 'true', v: 'true' } });
  }
}

/** Standard output and error as text, without the 8-byte headers the engine puts before each piece. */
async function containerOutput(engine: Engine, id: string): Promise<string> {
  const { body } = await callEngine(engine, {
    method: 'GET',
    path: `/containers/${id}/logs`,
    query: { stdout: 'true', stderr: 'true', tail: '20' },
  });
  const pieces: string[] = [];
  for (let at = 0; at + 8 <= body.length;) {
    const length = body.readUInt32BE(at + 4);
    pieces.push(body.subarray(at + 8, at + 8 + length).toString('utf8'));
    at += 8 + length;
  }
  return pieces.join('').trim();
}
