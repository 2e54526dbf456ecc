import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { doctorExitCode } from '../../../src/cli/doctor/doctor-report.ts';
import { runDoctor } from '../../../src/cli/doctor/run-doctor.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
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
