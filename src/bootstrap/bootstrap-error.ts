/** Exit codes: 2 configuration, 3 no container runtime, 7 the kernel can't be brought back. */
const ERRORS = {
  engine_address_unsupported: { exitCode: 2, what: 'DOCKER_HOST names an engine that cannot be used' },
  engine_address_unreachable: { exitCode: 3, what: 'The container engine that DOCKER_HOST names does not answer' },
  engine_missing: { exitCode: 3, what: 'There is no container engine' },
  engine_not_running: { exitCode: 3, what: 'The container engine is not running' },
  engine_no_permission: { exitCode: 3, what: 'The container engine may not be used by this user' },
  engine_too_old: { exitCode: 3, what: 'The container engine is too old' },
  kernel_not_started: { exitCode: 7, what: 'The kernel could not be started' },
  kernel_crashed: { exitCode: 7, what: 'The kernel crashed and could not be brought back' },
} as const;

/** What a person reads when the kernel can't be started: what happened, why, and the command that fixes it. */
export class BootstrapError extends Error {
  readonly code: keyof typeof ERRORS;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly exitCode: 2 | 3 | 7;

  constructor(code: keyof typeof ERRORS, why: string, fix: string) {
    const { what, exitCode } = ERRORS[code];
    super(`${what}: ${why}`);
    this.name = 'BootstrapError';
    this.code = code;
    this.what = what;
    this.why = why;
    this.fix = fix;
    this.exitCode = exitCode;
  }
}
