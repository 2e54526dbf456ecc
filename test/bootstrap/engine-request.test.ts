import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callEngine } from '../../src/bootstrap/engine-request.ts';

let directory = '';
let server: Server;
let answer = { status: 200, body: '' };
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-engine-'));
  server = createServer((_request, response) => response.writeHead(answer.status).end(answer.body));
  server.listen(join(directory, 'engine.sock'));
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const call = () =>
  callEngine({ socketPath: join(directory, 'engine.sock'), apiVersion: '1.41' }, 'GET', '/x', [200, 204]);

test.each([
  [200, '{"a":1}', { a: 1 }],
  [204, '', undefined],
])('status %i with %j is an answer', async (status, body, expected) => {
  answer = { status, body };
  expect(await call()).toEqual(expected);
});

test('a status that is not expected is an error with the beginning of what was said', async () => {
  answer = { status: 500, body: `{"message":"${'no '.repeat(1_000)}"}` };
  const error: unknown = await call().catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/^Error: the engine answered 500: \{"message":"no no /);
  expect(String(error).length).toBeLessThan(600);
});
