import { existsSync } from 'node:fs';
import { BootstrapError } from './bootstrap-error.ts';
import { exchange, type Engine } from './engine-request.ts';
import { mendingCommands, type HostSystem } from './mending-commands.ts';

/** What is read of the environment; DOCKER_HOST names a `unix://` socket or nothing. */
export type BootstrapEnvironment = Readonly<
  Partial<Record<'DOCKER_HOST' | 'XDG_RUNTIME_DIR' | 'HOME' | 'PATH', string | undefined>>
>;

type Probe =
  | { readonly kind: 'answers'; readonly engine: Engine }
  | { readonly kind: 'too-old' | 'forbidden' | 'silent' | 'absent'; readonly path: string };

/** The oldest API with private cgroup namespaces (Docker 20.10), and the newest that is spoken. */
const OLDEST_MINOR = 41;
const NEWEST_MINOR = 44;

/**
 * Finds the container engine: the one DOCKER_HOST names, else the first of the usual sockets that answers.
 *
 * @throws BootstrapError `engine_missing`, `engine_not_running`, `engine_no_permission`, `engine_too_old`,
 *   `engine_address_unsupported`
 */
export async function detectRuntime(env: BootstrapEnvironment, system: HostSystem): Promise<Engine> {
  const { install, start, permit } = mendingCommands(system);
  const found: Partial<Record<Probe['kind'], string>> = {};
  for (const path of socketPaths(env)) {
    const probe = await probeSocket(path);
    if (probe.kind === 'answers') return probe.engine;
    found[probe.kind] ??= path;
  }
  if (found['too-old'] !== undefined)
    throw new BootstrapError('engine_too_old', `${found['too-old']} speaks no API 1.${OLDEST_MINOR}`, install);
  if (found.forbidden !== undefined)
    throw new BootstrapError('engine_no_permission', `no permission on its socket ${found.forbidden}`, permit);
  if (found.silent !== undefined)
    throw new BootstrapError('engine_not_running', `nobody answers on ${found.silent}`, start);
  if (isInstalled(env.PATH ?? ''))
    throw new BootstrapError('engine_not_running', 'it is installed, but has no socket', start);
  throw new BootstrapError('engine_missing', 'neither Docker nor Podman was found', install);
}

function socketPaths({ DOCKER_HOST: named, XDG_RUNTIME_DIR: own, HOME: home }: BootstrapEnvironment): string[] {
  if (named?.startsWith('unix:///') === true) return [named.slice('unix://'.length)];
  if (named !== undefined && named !== '') {
    const why = `${named} is no Unix socket of this machine, and only such an engine can share directories with sandboxes`;
    throw new BootstrapError('engine_address_unsupported', why, 'unset DOCKER_HOST, or set it to unix:///path');
  }
  const ofUser = [`${own}/docker.sock`, `${home}/.docker/run/docker.sock`, `${own}/podman/podman.sock`];
  return ['/var/run/docker.sock', ...ofUser, '/run/podman/podman.sock'].filter((path) => path.startsWith('/'));
}

async function probeSocket(path: string): Promise<Probe> {
  try {
    const { status, headers } = await exchange(path, 'GET', '/_ping', { timeoutMs: 5_000 });
    const minor = Number(/^1\.(\d+)$/.exec(String(headers['api-version']))?.[1] ?? NaN);
    if (status !== 200 || Number.isNaN(minor)) return { kind: 'silent', path };
    if (minor < OLDEST_MINOR) return { kind: 'too-old', path };
    return { kind: 'answers', engine: { socketPath: path, apiVersion: `1.${Math.min(minor, NEWEST_MINOR)}` } };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent', path };
    return { kind: code === 'EACCES' || code === 'EPERM' ? 'forbidden' : 'silent', path };
  }
}

function isInstalled(path: string): boolean {
  const directories = path.split(':').filter((directory) => directory.startsWith('/'));
  return directories.some((directory) =>
    ['dockerd', 'docker', 'podman'].some((name) => existsSync(`${directory}/${name}`)),
  );
}
