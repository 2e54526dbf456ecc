import { copyFile, mkdir, readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doctorExitCode } from '../../src/cli/doctor/doctor-report.ts';
import { probeOverlay } from '../../src/cli/doctor/probe-overlay.ts';
import { probeSandbox } from '../../src/cli/doctor/probe-sandbox.ts';
import { runDoctor } from '../../src/cli/doctor/run-doctor.ts';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { readImageManifest } from '../../src/host/images/image-records.ts';
import { expectEngine } from '../../src/host/images/engine-api.ts';
import { readHostSystem } from '../../src/host/setup/host-system.ts';
import { realMachine } from '../../src/host/setup/machine.ts';
import { type ImageCheckout, engine, makeImageCheckout } from './image-checkout.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** A checkout whose images nobody has built. */
let checkout: ImageCheckout;
/** The state directory of a user who has the images that set-up built. */
let built = '';
let image = '';
let seccomp = '';

beforeAll(async () => {
  checkout = await makeImageCheckout();
  built = join(checkout.directory, 'built');
  await mkdir(built);
  await copyFile(join(userDirs(process.env).stateHome, 'images.json'), join(built, 'images.json'));
  image = (await readImageManifest(built)).images['node']?.id ?? '';
  seccomp = await readFile(join(REPOSITORY, 'seccomp/standard.json'), 'utf8');
});
afterAll(() => checkout.remove());

const doctor = (parts: { socketPath?: string; stateHome?: string; repoRoot?: string } = {}) =>
  examine({ socketPath: engine.socketPath, stateHome: checkout.stateHome, repoRoot: checkout.repoRoot, ...parts });

const examine = ({ socketPath, stateHome, repoRoot }: Record<'socketPath' | 'stateHome' | 'repoRoot', string>) =>
  runDoctor({
    env: { DOCKER_HOST: `unix://${socketPath}`, HOME: checkout.directory },
    machine: realMachine(readHostSystem('/nowhere'), '/nowhere'),
    user: { ...userDirs({ HOME: checkout.directory }), stateHome },
    project: null,
    runtimeRoot: null,
    repoRoot,
    owner: { uid: 1000, gid: 1000 },
  });

test('before set-up: the engine is there, each image is missing, nothing is tried', async () => {
  const report = await doctor();
  expect(report.images).toEqual(
    ['base', 'kernel', 'node', 'python', 'provider', 'policy-sandbox'].map((name) => ({
      name,
      state: 'missing',
      id: null,
    })),
  );
  const images = report.checks.filter(({ id }) => id.startsWith('image.'));
  expect(images.map(({ level, fix }) => `${level} ${fix}`)).toEqual(images.map(() => 'warn run: fluffy doctor --fix'));
  expect(report.checks.map(({ id }) => id)).toContain('protection');
  // A session builds them by itself.
  expect(doctorExitCode(report)).toBe(0);
});

test('after set-up: every protection is tried and holds, and nothing is left behind', async () => {
  const report = await doctor({ stateHome: built, repoRoot: REPOSITORY });
  expect(report.checks.filter(({ level }) => level === 'error')).toEqual([]);
  expect(report.checks.map(({ id }) => id)).toEqual([
    'node',
    'models',
    'space',
    'engine',
    'image.base',
    'image.kernel',
    'image.node',
    'image.python',
    'image.provider',
    'image.policy-sandbox',
    'protection.seccomp',
    'protection.no_new_privileges',
    'protection.capabilities',
    'protection.user',
    'protection.read_only',
    'protection.network',
    'protection.namespaces',
    'protection.processes',
    'protection.cgroup_namespace',
    'protection.user_namespace',
    'protection.apparmor',
    'protection.memory',
    'protection.workspace',
  ]);
  expect(report.engine).toMatchObject({ socket: engine.socketPath, name: 'docker' });
  expect(report.paths).toMatchObject({ state: built, engine_socket: engine.socketPath, database: null });
  expect(doctorExitCode(report)).toBe(0);
  expect((await readdir(built)).filter((name) => name.startsWith('doctor-'))).toEqual([]);
  const filters = JSON.stringify({ label: ['fluffy.role=throwaway'] });
  expect(await expectEngine(engine, { method: 'GET', path: '/volumes', query: { filters } })).toMatchObject({
    Volumes: [],
  });
});

test('a sandbox without our filter is found out', async () => {
  const checks = await probeSandbox({ engine, image, seccomp: 'unconfined', user: '1000:1000' });
  expect(checks.filter(({ level }) => level === 'error')).toMatchObject([
    { id: 'protection.seccomp', why: 'mode 0, an internet socket gave ECONNREFUSED' },
    { id: 'protection.namespaces', why: 'unshare --user succeeded' },
  ]);
});

test('an engine that cannot mount the layers is found out', async () => {
  const owner = { uid: 1000, gid: 1000 };
  const stateHome = join(checkout.directory, 'with,comma');
  expect(await probeOverlay({ engine, image, seccomp, owner, stateHome })).toMatchObject({
    id: 'protection.workspace',
    level: 'error',
  });
  expect(await readdir(stateHome)).toEqual([]);
});

test('an engine that is not there is one error that names DOCKER_HOST', async () => {
  const report = await doctor({ socketPath: join(checkout.directory, 'none.sock') });
  expect(report.engine).toBeNull();
  expect(report.checks.filter(({ level }) => level === 'error')).toMatchObject([
    { id: 'engine', why: `DOCKER_HOST is unix://${checkout.directory}/none.sock, and there is no such socket` },
  ]);
  expect(doctorExitCode(report)).toBe(3);
});
