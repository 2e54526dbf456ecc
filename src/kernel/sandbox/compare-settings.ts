import type { ContainerMount, ContainerSettings } from '../../contracts/ports/container-runtime.ts';
import { SANDBOX_PROGRAMS, seccompOf } from '../../contracts/sandbox/sandbox-programs.ts';
import type { ResourceLimits, TemplateLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import { expectedMounts } from './sandbox-spec.ts';
import type { ExpectedMount, MountedDirectories, SandboxSpec } from './sandbox-spec.ts';

/** What is equal for every sandbox: user and places. */
export interface SandboxIdentity {
  readonly uid: number;
  readonly gid: number;
  /** The project's absolute path, the same inside and outside. */
  readonly projectRoot: string;
  /** See `MountedDirectories`. */
  readonly borrowedObjects: string | null;
  /** For each template: the requested limits, and the maximum that the engine may have set. */
  readonly limits: TemplateLimits;
}

/** The engine may report a directory as either type. */
const KINDS: readonly string[] = ['bind', 'volume'];

/**
 * Where the engine's settings differ from the request; empty if they agree. Runtimes have ignored flags before. Limits
 * may be lower than requested, never higher or absent.
 */
export function differences(spec: SandboxSpec, identity: SandboxIdentity, found: ContainerSettings): readonly string[] {
  const wanted = {
    user: `${identity.uid}:${identity.gid}`,
    networkMode: spec.networkOf === undefined ? 'none' : `container:${spec.networkOf.container}`,
    networks: 'none',
    ipcMode: 'private',
    pidMode: '',
    utsMode: '',
    usernsMode: '',
    cgroupnsMode: 'private',
    privileged: false,
    readonlyRootfs: true,
    capAdd: '',
    capDrop: 'ALL',
    securityOptions: `no-new-privileges,seccomp=${seccompOf(spec.program, spec.template)}`,
    devices: 0,
  };
  const actual: Record<keyof typeof wanted, unknown> = {
    ...found,
    networks: found.networks.join(',') || 'none',
    capAdd: found.capAdd.join(','),
    capDrop: found.capDrop.join(','),
    securityOptions: found.securityOptions.join(','),
  };
  const settings = Object.entries(wanted)
    .filter(([name, value]) => actual[name as keyof typeof wanted] !== value)
    .map(
      ([name, value]) =>
        `${name} is ${JSON.stringify(actual[name as keyof typeof wanted])}, not ${JSON.stringify(value)}`,
    );
  return [
    ...settings,
    ...limitDifferences(identity.limits[spec.template], found),
    ...mountDifferences(spec, identity, found.mounts),
  ];
}

function limitDifferences(limits: ResourceLimits, found: ContainerSettings): string[] {
  const names = ['memoryBytes', 'cpus', 'pids', 'fileSizeBytes'] as const;
  return names
    .filter((name) => !(Number(found[name]) > 0 && Number(found[name]) <= limits[name]))
    .map((name) => `${name} is ${found[name]}, not at most ${limits[name]}`);
}

/**
 * For sandboxes with project code the host may add directories of the user's configuration. They must be read-only and
 * must not cover a mount of Fluffy.
 */
function mountDifferences(
  spec: SandboxSpec,
  directories: MountedDirectories,
  found: readonly ContainerMount[],
): string[] {
  const expected = expectedMounts(spec, directories);
  const isOf = (mount: ContainerMount, wanted: ExpectedMount): boolean =>
    mount.destination === wanted.destination && mount.writable === wanted.writable && KINDS.includes(mount.kind);
  const missing = expected.filter((wanted) => !found.some((mount) => isOf(mount, wanted)));
  const refused = found
    .filter((mount) => !expected.some((wanted) => isOf(mount, wanted)))
    .filter(
      (mount) =>
        !SANDBOX_PROGRAMS[spec.program].runsProjectCode ||
        mount.writable ||
        !KINDS.includes(mount.kind) ||
        expected.some((wanted) => covers(mount.destination, wanted.destination)),
    );
  return [
    ...missing.map((wanted) => `mount missing: ${describe(wanted)}`),
    ...refused.map((mount) => `mount not requested: ${mount.kind} ${describe(mount)}`),
  ];
}

function covers(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith('/') ? outer : `${outer}/`);
}

function describe(mount: ExpectedMount): string {
  return `${mount.destination} ${mount.writable ? 'rw' : 'ro'}`;
}
