import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probeSandbox } from '../../../src/cli/doctor/probe-sandbox.ts';

let directory: string;
let output: { readonly stream: 1 | 2; readonly text: string; readonly exitCode: number };
let removed: number;

/** As the engine writes the output of a container: a header of 8 bytes, then the text. */
function frame(stream: number, text: string): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

const server = createServer((request, response) => {
  const path = request.url ?? '';
  request.resume().once('end', () => {
    if (request.method === 'DELETE') removed += 1;
    if (path.includes('/logs')) response.end(frame(output.stream, output.text));
    else if (path.includes('/wait')) response.end(JSON.stringify({ StatusCode: output.exitCode }));
    else if (request.method === 'GET') response.end(JSON.stringify({ State: { OOMKilled: false, Running: false } }));
    else response.writeHead(path.includes('/create') ? 201 : 204).end(path.includes('/create') ? '{"Id":"c1"}' : '');
  });
});

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-probe-'));
  removed = 0;
  await once(server.listen(join(directory, 'socket')), 'listening');
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each([
  ['says why it failed', { stream: 2, text: 'exec format error\n', exitCode: 126 }, 'exec format error'],
  ['ends without a word', { stream: 2, text: '', exitCode: 139 }, 'it ended with 139'],
  ['answers with something else', { stream: 1, text: '{"ok":true}', exitCode: 0 }, 'it ended with 0'],
] as const)('a sandbox that %s is a problem, and is removed', async (_what, answer, why) => {
  output = answer;
  const engine = { socketPath: join(directory, 'socket') };
  const checks = await probeSandbox({ engine, image: 'sha256:1', seccomp: '{}', user: '1000:1000' });
  expect(checks).toMatchObject([{ level: 'error', id: 'protection', what: 'A sandbox could not be tried', why }]);
  expect(removed).toBe(1);
});
