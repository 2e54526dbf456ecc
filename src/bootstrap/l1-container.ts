/** A path that is mounted at its own place. */
interface PinnedPath {
  readonly path: string;
  readonly readOnly: boolean;
}

/** What differs from one project to the next. Everything else about L1 is a constant of this file. */
export interface L1Options {
  readonly name: string;
  /** The kernel image by id. */
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Owner of the project directory. */
  readonly uid: number;
  readonly gid: number;
  /** Real absolute paths on the host: mounted at the same place, at /var/lib/fluffy and at /run/fluffy. */
  readonly project: string;
  readonly state: string;
  readonly run: string;
  /** Paths of project and repository, parents first: each becomes a mount, which nothing in L1 can rename or replace. */
  readonly pinned?: readonly PinnedPath[];
  /** A seccomp profile, as JSON text. */
  readonly seccomp: string;
  /** Value of FLUFFY_KERNEL_OPTIONS: JSON, not looked at here. */
  readonly kernelOptions: string;
  readonly memoryLimitBytes: number;
}

export const DEFAULT_MEMORY_LIMIT_BYTES = 1024 * 1024 * 1024;

const COMMAND = ['/opt/fluffy/kernel/kernel.mjs'];
const ENVIRONMENT = ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/tmp', 'LANG=C.UTF-8', 'TZ=UTC'];

/** No capability, no way to a new privilege, no network, nothing of the host's namespaces, nothing to write to but three mounts. */
const SECURITY = {
  NetworkMode: 'none',
  IpcMode: 'private',
  PidMode: '',
  UTSMode: '',
  CgroupnsMode: 'private',
  Privileged: false,
  ReadonlyRootfs: true,
  CapAdd: [],
  CapDrop: ['ALL'],
  Devices: [],
  Init: false,
  RestartPolicy: { Name: 'no' },
  PidsLimit: 256,
  Ulimits: [
    { Name: 'nofile', Soft: 16384, Hard: 16384 },
    { Name: 'core', Soft: 0, Hard: 0 },
  ],
  LogConfig: { Type: 'json-file', Config: { 'max-size': '8m', 'max-file': '2' } },
} as const;

const bind = (source: string, target: string, readOnly = false) => {
  return { Type: 'bind', Source: source, Target: target, ReadOnly: readOnly, BindOptions: { Propagation: 'rprivate' } };
};

/** The engine's create request for L1, whole. Pure. */
export function l1Container(options: L1Options) {
  return {
    Image: options.image,
    Hostname: 'fluffy',
    User: `${options.uid}:${options.gid}`,
    Entrypoint: ['/usr/local/bin/node'],
    Cmd: COMMAND,
    Env: [...ENVIRONMENT, `FLUFFY_KERNEL_OPTIONS=${options.kernelOptions}`],
    WorkingDir: '/',
    Labels: options.labels,
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    StopTimeout: 5,
    HostConfig: {
      ...SECURITY,
      SecurityOpt: ['no-new-privileges', `seccomp=${options.seccomp}`],
      Memory: options.memoryLimitBytes,
      MemorySwap: options.memoryLimitBytes,
      Tmpfs: {
        '/tmp': `rw,nosuid,nodev,noexec,size=67108864,nr_inodes=16384,mode=0700,uid=${options.uid},gid=${options.gid}`,
      },
      Mounts: [
        bind(options.project, options.project),
        ...(options.pinned ?? []).map(({ path, readOnly }) => bind(path, path, readOnly)),
        bind(options.state, '/var/lib/fluffy'),
        bind(options.run, '/run/fluffy'),
      ],
    },
  };
}
