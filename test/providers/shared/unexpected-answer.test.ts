import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelAnswer } from '../../../src/providers/shared/unexpected-answer.ts';

interface Sent {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly body: string;
}

let sent: Sent;
let server: Server;
beforeAll(async () => {
  server = createServer((_request, response) => {
    const { status = 200, type, location, body } = sent;
    const headers = {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(location === undefined ? {} : { location }),
    };
    response.writeHead(status, headers).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

async function judge(answer: Sent): Promise<string> {
  sent = answer;
  const { port } = server.address() as AddressInfo;
  const [received] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage];
  const body = await modelAnswer(received, received, 'HOST').catch((error: unknown) =>
    (error as Error).message.replace('HOST answered with ', ''),
  );
  if (typeof body === 'string') return body;
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return `taken: ${Buffer.concat(chunks).toString()}`;
}

const LOGIN = '; a network that requires a login answers like this until you log in with a web browser';

test.each<readonly [string, Sent, string]>([
  ['a stream by its type', { type: 'text/event-stream', body: 'x' }, 'taken: x'],
  ['a stream by its beginning', { body: 'data: {}\n\n' }, 'taken: data: {}\n\n'],
  ['a stream of many pieces', { body: `data: ${'x'.repeat(200)}` }, `taken: data: ${'x'.repeat(200)}`],
  ['a comment of a stream', { body: ': hello\n\n' }, 'taken: : hello\n\n'],
  ['an error of the service', { status: 400, type: 'application/json', body: '{}' }, 'taken: {}'],
  ['a page of a proxy that is busy', { status: 503, type: 'text/html', body: '<p>' }, 'taken: <p>'],
  ['a page of a proxy that asks for patience', { status: 429, type: 'text/html', body: '<p>' }, 'taken: <p>'],
  ['a page', { type: 'text/html', body: '<p>' }, `a web page (status 200)${LOGIN}`],
  ['a page of an error', { status: 403, type: 'text/html', body: '<p>' }, `a web page (status 403)${LOGIN}`],
  [
    'a page of a wrong address',
    { status: 404, type: 'text/html', body: '<p>' },
    'a web page (status 404); the address of the service may be wrong',
  ],
  [
    'a page of a proxy that takes no request of that length',
    { status: 413, type: 'text/html', body: '<p>' },
    'taken: <p>',
  ],
  ['a page of a proxy that wants another key', { status: 401, type: 'text/html', body: '<p>' }, 'taken: <p>'],
  ['a status that does not exist', { status: 999, body: '' }, 'the status 999, which does not exist'],
  ['a page without a type', { body: ' <!doctype html>' }, `a web page (status 200)${LOGIN}`],
  [
    'a redirect',
    { status: 302, location: 'https://login.example/?token=x', body: '' },
    `a redirect (status 302) to login.example${LOGIN}`,
  ],
  ['a redirect to nowhere', { status: 301, body: '' }, `a redirect (status 301) to another address${LOGIN}`],
  ['nothing', { body: '' }, 'nothing'],
  ['blanks', { body: ' \n' }, 'nothing'],
  ['a text', { body: 'hello' }, 'a text that is no stream of events'],
  [
    'an error in place of a stream',
    { body: '{"error":{"message":"no such model"}}' },
    'an error in place of a stream: no such model',
  ],
  ['an error as a text', { body: '{"error":"no such model"}' }, 'an error in place of a stream: no such model'],
  ['an answer without a stream', { body: '{"choices":[]}' }, 'a text that is no stream of events'],
  ['JSON that is cut off', { body: '{"error":' }, 'a text that is no stream of events'],
  ['an error without end', { body: `{"error":"${'x'.repeat(70_000)}"}` }, 'a text that is no stream of events'],
])('%s', async (_what, answer, expected) => {
  expect(await judge(answer)).toBe(expected);
});
