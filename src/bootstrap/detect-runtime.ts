import { join } from 'node:path';
import { BootstrapError } from './bootstrap-error.ts';
import type { Engine } from './engine-request.ts';
import { OLDEST_MINOR, probeEngine, type Probe } from './probe-engine.ts';
import { repairCommands, type HostSystem } from './repair-commands.ts';

/** What is read of the environment; DOCKER_HOST names a `unix://` socket or nothing. */
export type BootstrapEnvironment = Readonly<
  Partial<Record<'DOCKER_HOST' | 'XDG_RUNTIME_DIR' | 'HOME', string | undefined>>
>;

/**
 * Finds the container engine: the one DOCKER_HOST names and no other, else the first of the usual sockets that answers.
 *
 * @throws BootstrapError `engine_missing`, `engine_not_running`, `engine_no_permission`, `engine_too_old`,
 *   `engine_address_unsupported`, `engine_address_unreachable`
 */
export async function detectRuntime(env: BootstrapEnvironment, system: HostSystem): Promise<Engine> {
  const { install, permit } = repairCommands(system);
  const named = namedSocket(env.DOCKER_HOST);
  const found: Partial<Record<Probe['kind'], string>> = {};
  for (const path of named === null ? usualSockets(env, system.root) : [named]) {
    const probe = await probeEngine(path);
    if (probe.kind === 'answers') return probe.engine;
    found[probe.kind] ??= path;
  }
  if (found['too-old'] !== undefined)
    throw new BootstrapError('engine_too_old', `${found['too-old']} speaks no API 1.${OLDEST_MINOR}`, install);
  if (found.forbidden !== undefined)
    throw new BootstrapError('engine_no_permission', `no permission on its socket ${found.forbidden}`, permit);
  throw named === null ? noneAnswers(system, found.silent) : namedIsDead(named, found.silent);
}

function namedSocket(address: string | undefined): string | null {
  if (address === undefined || address === '') return null;
  if (address.startsWith('unix:///')) return address.slice('unix://'.length);
  const why = `${address} is no Unix socket of this machine, and only such an engine can share directories with sandboxes`;
  throw new BootstrapError('engine_address_unsupported', why, 'unset DOCKER_HOST, or set it to unix:///path');
}

function usualSockets({ XDG_RUNTIME_DIR: own, HOME: home }: BootstrapEnvironment, root: string): string[] {
  const ofUser = [`${own}/docker.sock`, `${home}/.docker/run/docker.sock`, `${own}/podman/podman.sock`];
  const all = [join(root, 'var/run/docker.sock'), ...ofUser, join(root, 'run/podman/podman.sock')];
  return all.filter((path) => path.startsWith('/'));
}

/** Whoever names an engine wants that one: no other is started or installed in its place. */
function namedIsDead(socket: string, silent: string | undefined): BootstrapError {
  const found = silent === undefined ? 'there is no such socket' : 'no engine answers on it';
  const fix = 'start the engine that it names, or unset DOCKER_HOST to use the usual sockets of this machine';
  return new BootstrapError('engine_address_unreachable', `DOCKER_HOST is unix://${socket}, and ${found}`, fix);
}

/** Only a daemon can be started: Docker's client runs no container, and Podman's service is for its owner to enable. */
function noneAnswers(system: HostSystem, silent: string | undefined): BootstrapError {
  const { install, start } = repairCommands(system);
  const [dockerd, podman, docker] = ['dockerd', 'podman', 'docker'].map((program) => system.find(program));
  const socket = silent === undefined ? 'there is no socket of it' : `no engine answers on ${silent}`;
  if (dockerd !== undefined)
    return new BootstrapError('engine_not_running', `${dockerd} is installed, but ${socket}`, start);
  const client = docker === undefined ? 'nor was Podman' : `${docker} is only a client`;
  const rest = podman === undefined ? client : `${podman} is installed, but no service of it listens`;
  return new BootstrapError('engine_missing', `dockerd was not found; ${rest}`, install);
}
