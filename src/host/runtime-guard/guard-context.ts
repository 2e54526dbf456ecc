import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { SandboxImage, SeccompProfile, TemplateLimits } from '../../contracts/sandbox/sandbox-templates.ts';

/** What an image of the user's says by itself and a sandbox must not have, and what a sandbox in it needs beside it. */
export interface ProjectImageShape {
  /** Names of its variables. */
  readonly variables: readonly string[];
  /** Paths for which it wants a volume each. */
  readonly volumes: readonly string[];
  /** Directory of our own programs, with a Node that runs in any image. */
  readonly programs: string;
}

/** What the host knows and L1 has no say in: all that a container is built from beside the request. */
export interface GuardContext {
  readonly projectId: string;
  /** Tells supervisors of different users (state directories) of one project apart. */
  readonly instance: string;
  /** The project's real, absolute path. */
  readonly projectRoot: string;
  /** Owner of the project; every sandbox runs as it. */
  readonly uid: number;
  readonly gid: number;
  /** Image ids as set-up recorded them. */
  readonly images: Readonly<Partial<Record<SandboxImage, string>>>;
  /** Of the image `project`; absent: the user's configuration names none. */
  readonly projectImage?: ProjectImageShape;
  /** Profiles as JSON text, handed to the engine inline. */
  readonly seccomp: Readonly<Record<SeccompProfile, string>>;
  /** Absolute path of the /etc/hosts of sandboxes in which the project's code runs. */
  readonly hostsFile: string;
  /** The most that a sandbox of each template gets, whatever L1 requests. */
  readonly caps: TemplateLimits;
  /** Absolute real paths, mounted read-only at the same place where the project's code runs. */
  readonly dependencyMounts: readonly string[];
  /** What is mounted there at another place. */
  readonly placedMounts?: readonly ReadOnlyMount[];
  /** Services that the user's configuration declares for the tests of this project; absent: none. */
  readonly services?: Readonly<Record<string, ServiceShape>>;
  /** Objects that a linked worktree borrows, mounted read-only at the same place wherever the project is; null for an ordinary repository. */
  readonly borrowedObjects: string | null;
  /** Directories of a package manager's own program, mounted read-only at the same place where it runs; none where this host has none. */
  readonly packageMounts: (manager: PackageManagerName) => Promise<readonly string[]>;
}

/** A service, with what its image says by itself and a sandbox must not have. */
export interface ServiceShape {
  /** Absent: what its image starts by itself. */
  readonly command?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Directories of the image that it writes to. */
  readonly writable: readonly string[];
  /** Of its image; null: it is a program of this host. */
  readonly imageId: string | null;
  /** Paths for which the image wants a volume each. */
  readonly volumes: readonly string[];
}

/** Absolute real path of the host, and where a sandbox sees it. */
export interface ReadOnlyMount {
  readonly source: string;
  readonly target: string;
}

/** Beside the contract's labels: which supervisor (by its state directory) a thing belongs to. */
export const INSTANCE_LABEL = 'fluffy.instance';

type Identity = Pick<GuardContext, 'projectId' | 'instance'>;
type Labels = Readonly<Record<string, string>> | null | undefined;

export function ownLabels(context: Identity): Record<string, string> {
  return { [LABELS.project]: context.projectId, [INSTANCE_LABEL]: context.instance };
}

/** Whether what the engine says about a container or a volume makes it one of this guard's sandboxes. */
export function isOurSandbox(labels: Labels, context: Identity): boolean {
  return isOurs(labels, context) && labels?.[LABELS.role] === 'sandbox';
}

/** L1 itself and the volumes behind a sandbox's directories are ours too, but no sandbox: L1 gets no hold of them. */
export function isOurs(labels: Labels, context: Identity): boolean {
  return labels?.[LABELS.project] === context.projectId && labels[INSTANCE_LABEL] === context.instance;
}

/** Name in the engine of a sandbox's container and of its volume. */
export function engineName(context: Pick<GuardContext, 'projectId'>, sandbox: string): string {
  return `fluffy-${context.projectId.slice(0, 8)}-${sandbox}`;
}
