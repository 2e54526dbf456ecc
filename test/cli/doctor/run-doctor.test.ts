import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { doctorExitCode } from '../../../src/cli/doctor/doctor-report.ts';
import { runDoctor } from '../../../src/cli/doctor/run-doctor.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import { realMachine } from '../../../src/host/setup/machine.ts';
import { type FixtureMachine, type MachineState, makeFixtureMachine } from '../../support/machine-states.ts';

let fixture: FixtureMachine;
afterEach(() => fixture.remove());

test.each<[string, MachineState, string | undefined, object]>([
  [
    'a client without its daemon',
    { programs: ['usr/bin/docker'] },
    undefined,
    {
      what: 'There is no container engine',
      why: 'dockerd was not found; ROOT/usr/bin/docker is only a client',
      fix: 'run: sudo apt-get install -y docker.io',
    },
  ],
  [
    'a DOCKER_HOST on which nothing answers',
    { programs: ['usr/sbin/dockerd'] },
    'none.sock',
    {
      what: 'The container engine that DOCKER_HOST names does not answer',
      why: 'DOCKER_HOST is unix://ROOT/none.sock, and there is no such socket',
      fix: 'start the engine that it names, or unset DOCKER_HOST to use the usual sockets of this machine',
    },
  ],
])('%s is one error, with the reason and the fix of set-up', async (_name, state, named, expected) => {
  fixture = await makeFixtureMachine(state);
  const { root } = fixture;
  const env = { HOME: root, ...(named !== undefined && { DOCKER_HOST: `unix://${root}/${named}` }) };
  const report = await runDoctor({
    env,
    machine: realMachine(fixture.system('/nowhere', false), '/nowhere'),
    user: userDirs(env),
    project: null,
    runtimeRoot: null,
    repoRoot: join(import.meta.dirname, '../../..'),
    owner: { uid: 1000, gid: 1000 },
  });
  const errors = report.checks.filter(({ level }) => level === 'error');
  expect(errors.map(({ what, why, fix }) => ({ what, why: why.replaceAll(root, 'ROOT'), fix }))).toEqual([expected]);
  expect(report.engine).toBeNull();
  expect(doctorExitCode(report)).toBe(3);
});

test.each([
  [
    "fluffy's own images",
    'node --test',
    null,
    ['.tool-versions asks for Node 16.20.0; tests and commands run with Node MAJOR'],
  ],
  ['tests that do not run with it', 'bun test', null, []],
  ["an image of the user's", 'node --test', { reference: 'node:22', id: `sha256:${'0'.repeat(64)}` }, []],
])('a project that asks for another Node, with %s', async (_name, script, chosenImage, expected) => {
  fixture = await makeFixtureMachine({ programs: [] });
  const { root } = fixture;
  const env = { HOME: root };
  const user = userDirs(env);
  const project = projectDirs(user, join(root, 'project'), '0123456789abcdef');
  mkdirSync(project.root, { recursive: true });
  writeFileSync(join(project.root, 'package.json'), JSON.stringify({ scripts: { test: script } }));
  writeFileSync(join(project.root, '.tool-versions'), 'python 3.12.1\nnodejs 16.20.0\n');
  const report = await runDoctor({
    env,
    machine: realMachine(fixture.system('/nowhere', false), '/nowhere'),
    user,
    project,
    runtimeRoot: null,
    repoRoot: join(import.meta.dirname, '../../..'),
    owner: { uid: 1000, gid: 1000 },
    chosenImage,
  });
  const major = process.versions.node.split('.')[0] ?? '';
  const found = report.checks.filter(({ id }) => id === 'node.project');
  expect(found.map(({ level, what }) => `${level} ${what.replace(major, 'MAJOR')}`)).toEqual(
    expected.map((what) => `warn ${what}`),
  );
});
