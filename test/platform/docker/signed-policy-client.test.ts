import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { signedPolicyThrough } from '../../../src/platform/docker/signed-policy-client.ts';

const HASH = 'a'.repeat(64);
let server: Server | null = null;
let directory = '';
afterEach(async () => {
  await new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
  rmSync(directory, { recursive: true, force: true });
});

/** A guard that answers everything like this. */
async function guard(status: number, body: string): Promise<{ socket: string; asked: string[] }> {
  return guardThat((response) => response.writeHead(status).end(body));
}

async function guardThat(answer: (response: ServerResponse) => unknown): Promise<{ socket: string; asked: string[] }> {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-guard-'));
  const socket = join(directory, 'guard.sock');
  const asked: string[] = [];
  const listening = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(response);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(socket, resolve));
  return { socket, asked };
}

it.each([true, false])('asks the guard about one hash, and believes it: %s', async (signed) => {
  const { socket, asked } = await guard(200, JSON.stringify({ signed }));
  expect(await signedPolicyThrough(socket, HASH)).toBe(signed);
  expect(asked).toEqual([`GET /fluffy/signed-policy/${HASH}`]);
});

it.each([
  [500, '{"signed":true}'],
  [403, '{"message":"refused"}'],
  [200, ''],
  [200, '{}'],
  [200, '{"signed":"true"}'],
  [200, 'true'],
])('takes no unclear answer for either: %i %s', async (status, body) => {
  const { socket } = await guard(status, body);
  await expect(signedPolicyThrough(socket, HASH)).rejects.toThrow('did not say whether the policy is signed');
});

it('fails when the guard goes away in the middle of its answer', async () => {
  const { socket } = await guardThat((response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('{"signed":', () => response.destroy());
  });
  await expect(signedPolicyThrough(socket, HASH)).rejects.toThrow('aborted');
});

it('fails where there is no guard', async () => {
  await expect(signedPolicyThrough('/nowhere/guard.sock', HASH)).rejects.toThrow();
});
