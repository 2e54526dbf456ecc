import { assertNever } from '../../../lib/assert-never.ts';
import type { SandboxFailure, ToolSandboxResult } from '../../../contracts/ports/sandboxes.ts';
import { TOOL_ERROR_CODES } from '../../../contracts/tool-errors.ts';
import type { ToolError, ToolErrorCode } from '../../../contracts/tool-errors.ts';

/** The error for the model of a sandbox that did not answer. */
export function failureError(failure: SandboxFailure): ToolError {
  switch (failure.kind) {
    case 'timed-out':
      return {
        code: 'timeout',
        message: `It was stopped after ${Math.round(failure.afterMs / 1000)} s.`,
        retryable: true,
      };
    case 'out-of-memory':
      return { code: 'out_of_memory', message: 'It used more memory than its sandbox has.', retryable: false };
    case 'cancelled':
      return { code: 'cancelled', message: 'It was interrupted.', retryable: true };
    case 'failed':
      return { code: 'sandbox_failed', message: failure.reason, retryable: true };
    default:
      return assertNever(failure);
  }
}

/** The error in a tool's answer, or null if it succeeded. A code that a tool may not use becomes `sandbox_failed`. */
export function toolError(result: ToolSandboxResult): ToolError | null {
  if (result.kind === 'ok') return null;
  if (result.kind !== 'tool-error') return failureError(result);
  const code = TOOL_ERROR_CODES.find((each) => each === result.code) ?? ('sandbox_failed' satisfies ToolErrorCode);
  return { code, message: result.message, retryable: false };
}
