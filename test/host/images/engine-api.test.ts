import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectEngine } from '../../../src/host/images/engine-api.ts';

let directory: string;
let answer: { readonly status: number; readonly text: string };
const server = createServer((_request, response) => response.writeHead(answer.status).end(answer.text));

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-engine-api-'));
  await once(server.listen(join(directory, 'socket')), 'listening');
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

function ask(status: number, text: string): Promise<unknown> {
  answer = { status, text };
  return expectEngine({ socketPath: join(directory, 'socket') }, { method: 'GET', path: '/info' });
}

it.each([
  [200, '{"a":1}', { a: 1 }],
  [204, '', undefined],
])('%d with %j is an answer', async (status, text, value) => {
  expect(await ask(status, text)).toEqual(value);
});

it.each([
  [304, ''],
  [404, '{"message":"no such image"}'],
  [500, '{"message":"broken"}'],
])('%d with %j is an error', async (status, text) => {
  const message = text === '' ? '' : (JSON.parse(text) as { message: string }).message;
  await expect(ask(status, text)).rejects.toMatchObject({
    code: 'engine_refused',
    why: expect.stringContaining(`${status}: ${message}`) as string,
  });
});
