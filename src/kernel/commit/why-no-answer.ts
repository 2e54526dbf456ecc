import type { ToolSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { OverlayOutcome } from '../../contracts/ports/workspace.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { toolError } from '../call/perform/sandbox-error.ts';

type Unfinished = Extract<OverlayOutcome<unknown>, { kind: 'moved' | 'refused' }>;

/** Why the git tool's sandbox was not used. */
export function whyNotRun(outcome: Unfinished): string {
  switch (outcome.kind) {
    case 'moved':
      return 'the project kept changing meanwhile';
    case 'refused':
      return outcome.reason;
    default:
      return assertNever(outcome);
  }
}

/** Why the git tool gave no result. Throws FluffyError `disk_full`. */
export function whyNoResult(result: Exclude<ToolSandboxResult, { kind: 'ok' }>): string {
  return toolError(result).message;
}
