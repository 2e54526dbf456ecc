import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { FluffyError } from '../../contracts/fluffy-error.ts';

/** `ok`: as expected. `warn`: works, but weaker or slower than possible. `error`: a run can't start, or a protection is missing. */
export type CheckLevel = 'ok' | 'warn' | 'error';

export interface DoctorCheck {
  /** Stable name, e.g. `protection.seccomp`. */
  readonly id: string;
  readonly level: CheckLevel;
  /** The finding, in one line. */
  readonly what: string;
  /** Why it matters or how it was found; may be empty. */
  readonly why: string;
  /** What to run or change; empty if there is nothing to fix. */
  readonly fix: string;
  /** For an error: the exit code of a run; 3 if absent. */
  readonly exit_code?: ExitCode;
}

/** The output of `fluffy doctor --json`. */
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

/** An error as a check, with the exit code of a run. */
export function failure(id: string, { what, why, fix, exitCode }: FluffyError): DoctorCheck {
  return { id, level: 'error', what, why, fix, exit_code: exitCode };
}

/** 0 if a session can start; otherwise the exit code of its start, the engine and the protections first. */
export function doctorExitCode({ checks }: DoctorReport): ExitCode {
  const codes = checks.filter(({ level }) => level === 'error').map(({ exit_code }) => exit_code ?? EXIT.noRuntime);
  return codes.includes(EXIT.noRuntime) ? EXIT.noRuntime : (codes[0] ?? EXIT.done);
}

/** Whether a session can start here, in one line. */
export function verdict({ checks }: Pick<DoctorReport, 'checks'>): string {
  const errors = checks.filter(({ level }) => level === 'error').map(({ what }) => what);
  return errors.length === 0 ? 'A session can start here.' : `A session cannot start here: ${errors.join('; ')}.`;
}
