/** `ok`: as it should be. `warn`: works, but weaker or slower than it could. `error`: a run can't start, or a protection is missing. */
export type CheckLevel = 'ok' | 'warn' | 'error';

export interface DoctorCheck {
  /** Stable name, e.g. `protection.seccomp`. */
  readonly id: string;
  readonly level: CheckLevel;
  /** The finding, in one line. */
  readonly what: string;
  /** Why it matters or how it was found; empty when there is nothing to say. */
  readonly why: string;
  /** What to run or change; empty when there is nothing to fix. */
  readonly fix: string;
}

/** What `fluffy doctor --json` prints. */
export interface DoctorReport {
  readonly paths: Readonly<Record<string, string | null>>;
  readonly engine: {
    readonly socket: string;
    readonly name: string;
    readonly version: string;
    readonly api: string;
    readonly storage: string;
    readonly cgroup_version: string;
    readonly rootless: boolean;
    readonly userns: boolean;
  } | null;
  readonly images: readonly {
    readonly name: string;
    readonly state: 'fresh' | 'stale' | 'missing';
    readonly id: string | null;
  }[];
  readonly checks: readonly DoctorCheck[];
}

export function ok(id: string, what: string): DoctorCheck {
  return { id, level: 'ok', what, why: '', fix: '' };
}

export function problem(level: 'warn' | 'error', id: string, what: string, why: string, fix: string): DoctorCheck {
  return { id, level, what, why, fix };
}

/** 0 when nothing is an error, 3 otherwise: what fails here is what a run would fail on. */
export function doctorExitCode(report: DoctorReport): 0 | 3 {
  return report.checks.some(({ level }) => level === 'error') ? 3 : 0;
}
