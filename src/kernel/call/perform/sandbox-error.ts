import { diskFull } from '../../../lib/disk-full.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import type { SandboxFailure, ToolSandboxResult } from '../../../contracts/ports/sandboxes.ts';
import { MAX_FRAME_BYTES, MAX_TAIL_BYTES } from '../../../contracts/ipc-message.ts';
import { TOOL_ERROR_CODES } from '../../../contracts/model/tool-errors.ts';
import type { ToolError, ToolErrorCode } from '../../../contracts/model/tool-errors.ts';

/**
 * The error for the model after a sandbox gave no answer. Throws FluffyError `disk_full`, because a model can do
 * nothing about a full disk.
 */
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
    case 'disk-full':
      throw diskFull('the state directory');
    case 'failed':
      return { code: 'sandbox_failed', message: failure.reason, retryable: true };
    default:
      return assertNever(failure);
  }
}

const TOO_LARGE =
  `The call or its result is larger than one message (${MAX_FRAME_BYTES / 1024 / 1024} MiB), of which ` +
  `${MAX_TAIL_BYTES / 1024 / 1024} MiB can be file content, old and new together; nothing was written. Work on less at once: fs.edit changes a part of a ` +
  'file, and fs.delete first makes room for a whole new content.';

/**
 * The error in the answer of a tool that did not succeed. A message that is too large to send becomes `too_large`. A
 * code that a tool may not use becomes `sandbox_failed`.
 */
export function toolError(result: Exclude<ToolSandboxResult, { kind: 'ok' }>): ToolError {
  if (result.kind !== 'tool-error') return failureError(result);
  if (result.code === 'ipc_unsendable') return { code: 'too_large', message: TOO_LARGE, retryable: false };
  const code = TOOL_ERROR_CODES.find((each) => each === result.code) ?? ('sandbox_failed' satisfies ToolErrorCode);
  return { code, message: result.message, retryable: false };
}
