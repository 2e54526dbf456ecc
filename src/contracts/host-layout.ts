/**
 * Where things are on the host. Pure: callers pass the environment and the project's real path.
 *
 *   <config>/                    $XDG_CONFIG_HOME/fluffy      config.yaml, keys/ (providers', anchor.key), trust/ (approval.key)
 *   <stateHome>/                 $XDG_STATE_HOME/fluffy       images.json, spending.json
 *   <stateHome>/projects/<id>/host/    host only: anchors.jsonl, spending.json, runtime.json, project.json, supervisor.log
 *   <stateHome>/projects/<id>/kernel/  mounted into L1 at /var/lib/fluffy: fluffy.db, archives/, archives-before-<ms>/, staging/, slots/, out/, backups/
 *   <runtime>/                   $XDG_RUNTIME_DIR/fluffy/<8 hex>, or a 0700 mkdtemp recorded in host/runtime.json
 *   <runtime>/supervisor.sock    host only: the CLI attaches here first
 *   <runtime>/guard/<sandbox>/   host only: egress.sock, secret.sock of one sandbox
 *   <runtime>/l1/                mounted into L1 at /run/fluffy: guard.sock, cli.sock, sbx/<sandbox>/kernel.sock
 */
export interface HostEnvironment {
  readonly HOME?: string | undefined;
  readonly XDG_CONFIG_HOME?: string | undefined;
  readonly XDG_STATE_HOME?: string | undefined;
  readonly XDG_RUNTIME_DIR?: string | undefined;
}

export interface UserDirs {
  readonly config: string;
  readonly configFile: string;
  readonly keys: string;
  readonly trust: string;
  readonly stateHome: string;
}

export interface ProjectDirs {
  readonly id: string;
  readonly root: string;
  readonly host: string;
  readonly kernel: string;
  readonly database: string;
  /** Records of the audit log that were moved out of the database. */
  readonly archives: string;
  readonly anchors: string;
}

export interface RuntimeDirs {
  readonly root: string;
  readonly supervisorSocket: string;
  readonly guard: string;
  readonly l1: string;
  readonly guardSocket: string;
  readonly cliSocket: string;
}

/** An XDG variable counts only if it is an absolute path, as the XDG specification says. */
function absoluteOr(value: string | undefined, fallback: string): string {
  return value !== undefined && value.startsWith('/') ? value : fallback;
}

/** The home directory of this user. */
export function homeOf({ HOME }: Pick<HostEnvironment, 'HOME'>): string {
  return absoluteOr(HOME, '/root');
}

export function userDirs(env: HostEnvironment): UserDirs {
  const home = homeOf(env);
  const config = `${absoluteOr(env.XDG_CONFIG_HOME, `${home}/.config`)}/fluffy`;
  return {
    config,
    configFile: `${config}/config.yaml`,
    keys: `${config}/keys`,
    trust: `${config}/trust`,
    stateHome: `${absoluteOr(env.XDG_STATE_HOME, `${home}/.local/state`)}/fluffy`,
  };
}

/**
 * `projectId`: the first 16 hex digits of the SHA-256 of the path at which the project was first seen, unless another repository already uses that
 * state.
 */
export function projectDirs(user: UserDirs, projectRoot: string, projectId: string): ProjectDirs {
  const base = `${user.stateHome}/projects/${projectId}`;
  return {
    id: projectId,
    root: projectRoot,
    host: `${base}/host`,
    kernel: `${base}/kernel`,
    database: `${base}/kernel/fluffy.db`,
    archives: `${base}/kernel/archives`,
    anchors: `${base}/host/anchors.jsonl`,
  };
}

export function runtimeDirs(root: string): RuntimeDirs {
  return {
    root,
    supervisorSocket: `${root}/supervisor.sock`,
    guard: `${root}/guard`,
    l1: `${root}/l1`,
    guardSocket: `${root}/l1/guard.sock`,
    cliSocket: `${root}/l1/cli.sock`,
  };
}
