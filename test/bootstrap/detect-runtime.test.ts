import { createServer, type Server } from 'node:http';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BootstrapError } from '../../src/bootstrap/bootstrap-error.ts';
import { detectRuntime } from '../../src/bootstrap/detect-runtime.ts';
import { mendingCommands } from '../../src/bootstrap/mending-commands.ts';

const DEBIAN = { platform: 'linux', distribution: 'debian', systemd: true };

let root: string;
const servers: Server[] = [];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fluffy-detect-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(root, { recursive: true, force: true });
});

/** An engine that answers pings with this API version. */
async function engineAt(path: string, version: string | null): Promise<string> {
  const server = createServer((_request, response) => {
    if (version !== null) response.setHeader('Api-Version', version);
    response.end('OK');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return path;
}

const detect = (env: Parameters<typeof detectRuntime>[0]) =>
  detectRuntime(env, DEBIAN).catch((error: unknown) => {
    if (error instanceof BootstrapError) return error;
    throw error;
  });

describe('an engine that answers', () => {
  test.each([
    ['1.41', '1.41'],
    ['1.44', '1.44'],
    ['1.52', '1.44'],
  ])('with API %s is spoken to in %s', async (version, spoken) => {
    const socketPath = await engineAt(join(root, 'engine.sock'), version);
    expect(await detect({ DOCKER_HOST: `unix://${socketPath}` })).toEqual({ socketPath, apiVersion: spoken });
  });
});

describe('an engine that cannot be used is a structured error with the command that mends it', () => {
  test('too old', async () => {
    const path = await engineAt(join(root, 'engine.sock'), '1.40');
    expect(await detect({ DOCKER_HOST: `unix://${path}` })).toMatchObject({ code: 'engine_too_old', exitCode: 3 });
  });

  test('something else listens there', async () => {
    const path = await engineAt(join(root, 'engine.sock'), null);
    expect(await detect({ DOCKER_HOST: `unix://${path}` })).toMatchObject({ code: 'engine_not_running' });
  });

  test('nobody listens on its socket', async () => {
    const path = join(root, 'engine.sock');
    await writeFile(path, '');
    expect(await detect({ DOCKER_HOST: `unix://${path}` })).toMatchObject({
      code: 'engine_not_running',
      exitCode: 3,
      why: `nobody answers on ${path}`,
      fix: 'run: sudo systemctl start docker',
    });
  });

  test('no permission on its socket', async () => {
    const path = await engineAt(join(root, 'engine.sock'), '1.41');
    await chmod(path, 0);
    // Root may do everything: for a moment we are nobody.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      expect(await detect({ DOCKER_HOST: `unix://${path}` })).toMatchObject({
        code: 'engine_no_permission',
        exitCode: 3,
        fix: 'run: sudo usermod -aG docker "$USER", then log in again',
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('installed, but without a socket', async () => {
    await mkdir(join(root, 'bin'));
    await writeFile(join(root, 'bin/dockerd'), '');
    await chmod(join(root, 'bin/dockerd'), 0o755);
    const env = { DOCKER_HOST: `unix://${join(root, 'none.sock')}`, PATH: join(root, 'bin') };
    expect(await detect(env)).toMatchObject({ code: 'engine_not_running' });
  });

  test('not installed', async () => {
    const env = { DOCKER_HOST: `unix://${join(root, 'none.sock')}`, PATH: root };
    expect(await detect(env)).toMatchObject({
      code: 'engine_missing',
      exitCode: 3,
      fix: 'run: sudo apt-get install -y docker.io',
    });
  });

  test.each(['tcp://127.0.0.1:2375', 'ssh://host', 'unix://relative.sock', '/path'])(
    'an address that is no local socket: %s',
    async (address) => {
      expect(await detect({ DOCKER_HOST: address })).toMatchObject({ code: 'engine_address_unsupported', exitCode: 2 });
    },
  );
});

describe('the mending commands fit the machine', () => {
  test.each([
    [{ platform: 'linux', distribution: 'ubuntu debian', systemd: true }, 'apt-get install', 'systemctl start docker'],
    [{ platform: 'linux', distribution: 'debian', systemd: false }, 'apt-get install', 'service docker start'],
    [{ platform: 'linux', distribution: 'fedora', systemd: true }, 'dnf install -y podman', 'systemctl'],
    [{ platform: 'linux', distribution: 'arch', systemd: true }, 'pacman', 'systemctl'],
    [{ platform: 'linux', distribution: '', systemd: true }, 'package manager', 'systemctl'],
    [{ platform: 'darwin', distribution: '', systemd: false }, 'brew install --cask docker', 'open -a Docker'],
    [{ platform: 'win32', distribution: '', systemd: false }, 'WSL2', 'WSL2'],
  ])('%o', (system, install, start) => {
    const commands = mendingCommands(system);
    expect(commands.install).toContain(install);
    expect(commands.start).toContain(start);
    expect(commands.permit).not.toBe('');
  });
});
