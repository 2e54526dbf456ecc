import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { AnchorClient, LogNotFollowed } from '../../../src/platform/docker/anchor-client.ts';
import { attestThrough } from '../../../src/platform/docker/attest-client.ts';
import { DockerRuntime } from '../../../src/platform/docker/docker-runtime.ts';
import { placeThrough } from '../../../src/platform/docker/project-place-client.ts';
import { signedPolicyThrough } from '../../../src/platform/docker/signed-policy-client.ts';
import { addSpendingThrough } from '../../../src/platform/docker/spending-client.ts';

let directory: string;
let answers: Readonly<Record<string, readonly [status: number, body: unknown]>>;
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    const [status, body] = answers[`${request.method} ${request.url}`] ?? [404, 'nothing here'];
    response.writeHead(status).end(JSON.stringify(body));
  });
});
const socket = () => join(directory, 'guard.sock');
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-answers-'));
  await new Promise<void>((resolve) => void server.listen(socket(), resolve));
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const anchors = (read: ConstructorParameters<typeof AnchorClient>[1]) => new AnchorClient(socket(), read);
const HEAD = { entries: 1, head: 'a'.repeat(64) } as never;
const POSITION = { 'GET /fluffy/anchor': [200, { entries: 0, head: null }] } as const;

it.each<readonly [string, () => Promise<unknown>, string]>([
  ['a commit', () => attestThrough(socket(), {} as never), 'the host did not attest the commit: "busy"'],
  [
    'the place of the project',
    () => placeThrough(socket()),
    'the host did not answer whether the project is still at its path: "busy"',
  ],
  ['what was spent', () => addSpendingThrough(socket(), {} as never), 'the host did not add it: "busy"'],
  ['the audit log', () => anchors(() => []).show(1), 'the host did not read the audit log: "busy"'],
])('a host that does not answer about %s is reported with what it said', async (_what, ask, message) => {
  answers = Object.fromEntries(
    ['POST /fluffy/attest', 'GET /fluffy/project-place', 'POST /fluffy/spending', 'GET /fluffy/anchor'].map((call) => [
      call,
      [503, 'busy'],
    ]),
  );
  await expect(ask()).rejects.toThrow(message);
});

it.each<readonly [string, readonly { body: string | null }[]]>([
  ['is not there', []],
  ['cannot be read', [{ body: null }]],
])('a record that %s is not shown to the host', async (_what, records) => {
  answers = POSITION;
  const shown = anchors(() => records).anchor(HEAD);
  await expect(shown).rejects.toThrow(LogNotFollowed);
  await expect(shown).rejects.toThrow('record 1 of the audit log cannot be read');
});

it.each<readonly [string, () => Promise<unknown>]>([
  ['a commit', () => attestThrough(socket(), {} as never)],
  ['the place of the project', () => placeThrough(socket())],
  ['what was spent', () => addSpendingThrough(socket(), {} as never)],
  ['the audit log', () => anchors(() => []).show(1)],
  ['a policy', () => signedPolicyThrough(socket(), 'a'.repeat(64))],
  ['containers', () => new DockerRuntime({ socketPath: socket() }).list()],
])('an error of the host about %s reaches the person in all its parts', async (_what, ask) => {
  const parts = { code: 'key_file_unsafe', what: 'The key is not safe', why: 'others can read it', fix: 'Run chmod' };
  const failure = [500, { message: 'unsafe', error: { ...parts, exit_code: 2 } }] as const;
  answers = Object.fromEntries(
    [
      'POST /fluffy/attest',
      'GET /fluffy/project-place',
      'POST /fluffy/spending',
      'GET /fluffy/anchor',
      `GET /fluffy/signed-policy/${'a'.repeat(64)}`,
      'GET /containers/json?all=true',
    ].map((call) => [call, failure]),
  );
  const error: unknown = await ask().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FluffyError);
  expect(error).toMatchObject({ ...parts, exitCode: 2 });
});
