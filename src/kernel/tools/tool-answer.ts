import type { ToolError, ToolErrorCode } from '../../contracts/model/tool-errors.ts';

/**
 * A tool's answer before secrets are removed and it is cut. `text` is for the model, `summary` is one short line for
 * people.
 */
export type ToolAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly summary: string;
      readonly diff?: string;
      /** A command ran and its exit code was not 0. */
      readonly commandFailed?: true;
      /** Exactly the output of a command. */
      readonly printed?: string;
      readonly sandboxId?: string;
    }
  | { readonly ok: false; readonly error: ToolError; readonly text?: string; readonly sandboxId?: string };

export function answer(text: string, summary: string): ToolAnswer {
  return { ok: true, text, summary };
}

/** `message` says what happened and what to do about it. */
export function failure(code: ToolErrorCode, message: string, retryable = false): ToolAnswer {
  return { ok: false, error: { code, message, retryable } };
}
