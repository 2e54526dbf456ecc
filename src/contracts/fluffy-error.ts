import type { ExitCode } from './exit-codes.ts';

/** An error for people. `code` is the entry's name in docs/errors.md. */
export interface UserFacingError {
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/**
 * Broken infrastructure or an unusable request, explained in the three sentences that a person needs. Expected outcomes are values and not
 * exceptions.
 */
export class FluffyError extends Error implements UserFacingError {
  readonly code: string;
  readonly what: string;
  readonly why: string;
  readonly fix: string;
  readonly exitCode: ExitCode;

  constructor(fields: UserFacingError & { exitCode: ExitCode; cause?: unknown }) {
    super(`${fields.what}: ${fields.why}`, { cause: fields.cause });
    this.name = 'FluffyError';
    this.code = fields.code;
    this.what = fields.what;
    this.why = fields.why;
    this.fix = fields.fix;
    this.exitCode = fields.exitCode;
  }
}
