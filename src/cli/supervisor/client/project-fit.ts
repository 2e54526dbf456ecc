import { IN_L2 } from '../../../contracts/sandbox/container-paths.ts';

/** Paths of programs, sockets and the system inside containers: no part of a project may hide them or be inside them. */
const HOLDS_PROGRAMS = ['/bin', '/lib', '/lib64', '/sbin', '/etc', '/usr/bin', '/usr/lib', '/usr/local/bin', '/tmp'];
const RESERVED = [
  '/proc',
  '/sys',
  '/dev',
  '/opt/fluffy',
  IN_L2.out,
  IN_L2.home,
  '/run/fluffy',
  '/run/fluffy-guard',
  '/var/lib/fluffy',
];

/**
 * Why a project can't be mounted at its own path, or null. L1 may write everywhere in the project: a project that contains fluffy's own state,
 * configuration or sockets would give L1 access to the host's side. Pure.
 *
 * @param root real path of the project
 * @param own real paths that only the host may write to
 */
export function projectMisfit(root: string, own: readonly string[]): string | null {
  const hidden = [...HOLDS_PROGRAMS, ...RESERVED].find((path) => isWithin(path, root));
  if (hidden !== undefined) return `inside a sandbox it would hide ${hidden}`;
  const reserved = RESERVED.find((path) => isWithin(root, path));
  if (reserved !== undefined) return `${reserved} has another meaning inside a sandbox`;
  const held = own.find((path) => isWithin(path, root));
  if (held !== undefined) return `it contains ${held}, which only fluffy on the host may write to`;
  const holder = own.find((path) => isWithin(root, path));
  if (holder !== undefined) return `it is in ${holder}, which belongs to fluffy itself`;
  return null;
}

/** Whether `path` is `directory` or below it. */
function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}
