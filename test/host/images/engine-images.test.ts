import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildImage, findImage, importImage, removeImage } from '../../../src/host/images/engine-images.ts';

const ID = `sha256:${'a'.repeat(64)}`;
const SOURCE = 'b'.repeat(64);
const TAG = `localhost/fluffy-node:${'b'.repeat(12)}`;

let directory: string;
let answers: Readonly<Record<string, readonly [status: number, text: string]>>;
let asked: string[];
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    asked.push(`${request.method} ${request.url}`);
    const [status, text] = answers[request.method ?? ''] ?? [500, ''];
    response.writeHead(status).end(text);
  });
});
const engine = () => ({ socketPath: join(directory, 'socket') });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-engine-images-'));
  asked = [];
  await once(server.listen(join(directory, 'socket')), 'listening');
});
afterEach(() => {
  server.close();
  rmSync(directory, { recursive: true, force: true });
});

const make = {
  build: () => buildImage(engine(), { name: 'node', source: SOURCE, base: ID, context: [] }),
  import: () => importImage(engine(), { name: 'base', source: SOURCE, entries: [] }),
};
const THERE = [200, JSON.stringify({ Id: ID })] as const;

describe.each(['build', 'import'] as const)('the %s of an image', (way) => {
  test.each([
    ['the engine is done', '{"stream":"step"}\n\nnot JSON\n'],
    ['the engine says nothing', ''],
  ])('ends with its id where %s', async (_what, text) => {
    answers = { POST: [200, text], GET: THERE };
    expect(await make[way]()).toBe(ID);
  });

  test.each<readonly [string, readonly [number, string], readonly [number, string], string]>([
    ['refuses at once', [500, 'no space left\n'], THERE, '500: no space left'],
    [
      'tells of a failure in a later line',
      [200, '{"stream":"x"}\n{"error":"step 2 failed"}\n'],
      THERE,
      'step 2 failed',
    ],
    ['has no such image afterwards', [200, ''], [404, ''], 'the engine reported success, but has no such image'],
  ])('is an error where the engine %s', async (_what, made, found, why) => {
    answers = { POST: made, GET: found };
    await expect(make[way]()).rejects.toMatchObject({
      code: 'engine_refused',
      why: expect.stringContaining(why) as string,
    });
  });
});

test('a build has no network, and a tag that no registry serves', async () => {
  answers = { POST: [200, ''], GET: THERE };
  await make.build();
  const query = new URL(asked[0]?.split(' ')[1] ?? '', 'http://engine').searchParams;
  expect([query.get('networkmode'), query.get('t')]).toEqual(['none', TAG]);
});

test('a build says which step it is at', async () => {
  const lines = ['Step 1/7 : ARG BASE', ' ---> Running in 1\n', 'Step 2/7 : COPY a b'].map((stream) =>
    JSON.stringify({ stream }),
  );
  answers = { POST: [200, `${lines.join('\n')}\n`], GET: THERE };
  const steps: string[] = [];
  await buildImage(engine(), { name: 'node', source: SOURCE, base: ID, context: [] }, (step) => steps.push(step));
  expect(steps).toEqual(['step 1 of 7', 'step 2 of 7']);
});

describe('an image', () => {
  test.each<readonly [readonly [number, string], string | undefined]>([
    [THERE, ID],
    [[200, JSON.stringify({ Id: 'a'.repeat(64) })], ID],
    [[404, '{"message":"no such image"}'], undefined],
  ])('%j is found as %s', async (answer, id) => {
    answers = { GET: answer };
    expect(await findImage(engine(), TAG)).toBe(id);
  });

  test('that the engine cannot look for is an error, not missing', async () => {
    answers = { GET: [500, '{"message":"broken"}'] };
    await expect(findImage(engine(), TAG)).rejects.toMatchObject({ code: 'engine_refused' });
  });

  test.each([
    [200, 'removed'],
    [404, 'removed'],
    [409, 'in-use'],
  ] as const)('that is removed with %i is %s', async (status, outcome) => {
    answers = { DELETE: [status, ''] };
    expect(await removeImage(engine(), ID)).toBe(outcome);
  });

  test('that cannot be removed is an error', async () => {
    answers = { DELETE: [500, 'broken'] };
    await expect(removeImage(engine(), ID)).rejects.toMatchObject({ code: 'engine_refused' });
  });
});
