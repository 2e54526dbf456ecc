import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commit, plan, say, write } from '../../support/job/developer.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';

/** Tests with a service on their loopback, and with a host of the user's configuration behind the egress gate: both through real containers. */

/** A program of this machine: answers each line with how many there were, from 1 in every run. */
const COUNTER = `
import socket
listening = socket.create_server(("127.0.0.1", 7001))
count = 0
while True:
    client, _ = listening.accept()
    line = client.makefile().readline()
    if line:
        count += 1
        client.sendall(b"%d" % count)
    client.close()
`;

const ASK = `import { connect } from 'node:net';

export const ask = (host, port) =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.once('error', reject);
    socket.once('data', (data) => resolve(String(data)));
    socket.once('close', () => reject(new Error('closed without an answer')));
    socket.write('hello\\n');
  });
`;
const HEAD = "import assert from 'node:assert/strict';\nimport test from 'node:test';\n";
const FILES = {
  'package.json': '{ "name": "job", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/ask.js': ASK,
  'test/ask.test.js': `${HEAD}import { ask } from '../src/ask.js';\n\ntest('each run counts from one', async () => assert.equal(await ask('counter', 7001), '1'));\n`,
};

let outside: Server;
let project: JobProject;
let scene: JobScene;

beforeAll(async () => {
  outside = createServer((socket) => socket.on('error', () => undefined).end('outside')).listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => void outside.once('listening', resolve));
  const { port } = outside.address() as AddressInfo;
  project = makeJobProject(FILES);
  const networked = { tool: 'test.run', input: { network: true } };
  const script = [
    say('A plan.', plan('Greet', 'Test it', 'Write it')),
    say(
      'The test.',
      write(
        'test/greet.test.js',
        `${HEAD}import { greet } from '../src/greet.js';\n\ntest('greets', async () => assert.equal(await greet(Number(process.env.OUTSIDE)), 'hello, outside'));\n`,
      ),
      networked,
    ),
    say(
      'The code.',
      write(
        'src/greet.js',
        "import { ask } from './ask.js';\n\nexport async function greet(port) {\n  return `hello, ${await ask('localhost', port)}`;\n}\n",
      ),
      networked,
    ),
    say('', commit('Greet who is outside')),
  ];
  const config = JSON.stringify({
    services: { counter: { command: ['python3', '-c', COUNTER], port: 7001 } },
    network_groups: { local: [`localhost:${port}`] },
    test: {
      networks: [
        { project: project.root, services: ['counter'], groups: ['local'], variables: { OUTSIDE: String(port) } },
      ],
    },
  });
  scene = await jobScene(script, { project, config });
});

afterAll(async () => {
  await scene.close();
  outside.close();
});

it('reach the service in every run, and the host after a person has allowed it; the evidence and the audit log say so', async () => {
  const { port } = outside.address() as AddressInfo;
  const run = scene.start(['-p', 'Greet who is outside', '--input-format', 'stream-json'], { openInput: true });
  for (const asked of [0, 1, 2]) {
    await run.until(
      () =>
        run.events.filter(({ type }) => type === 'review.requested').length > asked ||
        run.events.some(({ type }) => type === 'session.finished'),
    );
    run.child.stdin.write('{"type":"approve"}\n');
  }
  await run.until((event) => event.type === 'session.finished');
  run.child.stdin.end();
  const { code, stderr } = await run.exit;
  expect({
    code,
    stderr,
    said: bodies(run.events, 'tool.finished').map(({ tool, error }) => [tool, error]),
  }).toMatchObject({
    code: 0,
    stderr: '',
  });

  const reviews = bodies(run.events, 'review.requested');
  const merge = reviews.find(({ kind }) => kind === 'merge');
  expect(reviews).toHaveLength(3);
  expect(merge?.reasons).toEqual([`The tests could reach hosts of the network: localhost:${port}.`]);
  expect(merge?.facts?.grade).toEqual({
    verified: false,
    reasons: [`the tests could reach hosts of the network: localhost:${port}`],
  });

  const options = { cwd: project.root };
  const verified = await scene.home.run(['audit', 'verify', '--range', 'HEAD~1..HEAD'], options);
  expect(verified.stdout).toMatch(new RegExp(`tests ran with +services counter; hosts localhost:${port}`));
  const log = await scene.home.run(['audit', 'log', '--json'], options);
  const connections = log.stdout.split('\n').filter((line) => line.includes('"network_connection"'));
  expect(connections.length).toBeGreaterThan(1);
  expect(new Set(connections.map((line) => /"input_summary":"([^ "]+)/.exec(line)?.[1]))).toContain(
    `localhost:${port}`,
  );
}, 900_000);
