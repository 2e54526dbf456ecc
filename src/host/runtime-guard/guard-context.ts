import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import type { PackageManagerName } from '../../contracts/sandbox/package-managers.ts';
import type { SandboxImage, SeccompProfile, TemplateLimits } from '../../contracts/sandbox/sandbox-templates.ts';

/** Declarations of the user's image that a sandbox must not get, and what a sandbox needs in addition. */
export interface ProjectImageShape {
  /** Names of its variables. */
  readonly variables: readonly string[];
  /** Paths for which it declares a volume. */
  readonly volumes: readonly string[];
  /** Directory of Fluffy's own programs, with a Node that runs in any image. */
  readonly programs: string;
}

/** What only the host decides: everything beside the request from which a container is built. */
export interface GuardContext {
  readonly projectId: string;
  /** Distinguishes supervisors of different users (state directories) for one project. */
  readonly instance: string;
  /** The project's real, absolute path. */
  readonly projectRoot: string;
  /** Owner of the project; every sandbox runs as this user. */
  readonly uid: number;
  readonly gid: number;
  /** Image ids as set-up recorded them. */
  readonly images: Readonly<Partial<Record<SandboxImage, string>>>;
  /** Of the image `project`; absent if the user's configuration names none. */
  readonly projectImage?: ProjectImageShape;
  /** Profiles as JSON text, passed to the engine inline. */
  readonly seccomp: Readonly<Record<SeccompProfile, string>>;
  /** Absolute path of the /etc/hosts of sandboxes with project code. */
  readonly hostsFile: string;
  /** Maximum limits of a sandbox of each template, whatever L1 requests. */
  readonly caps: TemplateLimits;
  /** Absolute real paths, mounted read-only at the same path in sandboxes with project code. */
  readonly dependencyMounts: readonly string[];
  /** Directories that are mounted there at another path. */
  readonly placedMounts?: readonly ReadOnlyMount[];
  /** Services that the user's configuration declares for the tests of this project; absent: none. */
  readonly services?: Readonly<Record<string, ServiceShape>>;
  /**
   * Objects that a linked worktree borrows, mounted read-only at the same path in every sandbox with the project; null for an ordinary repository.
   */
  readonly borrowedObjects: string | null;
  /** Directories of a package manager's own program, mounted read-only at the same path where it runs; empty if this host has none. */
  readonly packageMounts: (manager: PackageManagerName) => Promise<readonly string[]>;
}

/** A service, with the declarations of its image that a sandbox must not get. */
export interface ServiceShape {
  /** Absent: the image's own command. */
  readonly command?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Directories of the image that the service writes to. */
  readonly writable: readonly string[];
  /** Id of its image; null for a program of this host. */
  readonly imageId: string | null;
  /** Paths for which the image declares a volume. */
  readonly volumes: readonly string[];
}

/** Absolute real path on the host, and the path at which a sandbox sees it. */
export interface ReadOnlyMount {
  readonly source: string;
  readonly target: string;
}

/** In addition to the contract's labels: the supervisor (by its state directory) that owns an object. */
export const INSTANCE_LABEL = 'fluffy.instance';

type Identity = Pick<GuardContext, 'projectId' | 'instance'>;
type Labels = Readonly<Record<string, string>> | null | undefined;

export function ownLabels(context: Identity): Record<string, string> {
  return { [LABELS.project]: context.projectId, [INSTANCE_LABEL]: context.instance };
}

/** Whether the engine's labels of a container or volume show that it is one of this guard's sandboxes. */
export function isOurSandbox(labels: Labels, context: Identity): boolean {
  return isOurs(labels, context) && labels?.[LABELS.role] === 'sandbox';
}

/** L1 itself and the volumes behind a sandbox's directories belong to this guard too, but are no sandboxes: L1 gets no access to them. */
export function isOurs(labels: Labels, context: Identity): boolean {
  return labels?.[LABELS.project] === context.projectId && labels[INSTANCE_LABEL] === context.instance;
}

/** The engine's name of a sandbox's container and of its volume. */
export function engineName(context: Pick<GuardContext, 'projectId'>, sandbox: string): string {
  return `fluffy-${context.projectId.slice(0, 8)}-${sandbox}`;
}
