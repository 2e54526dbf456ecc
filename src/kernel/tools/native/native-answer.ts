import type { ToolError, ToolErrorCode } from '../../../contracts/tool-errors.ts';

/** What a kernel-native tool answers, before it is sanitised. `summary` is one short line for people. */
export type NativeAnswer =
  | { readonly ok: true; readonly text: string; readonly summary: string }
  | { readonly ok: false; readonly error: ToolError };

export function answer(text: string, summary: string): NativeAnswer {
  return { ok: true, text, summary };
}

/** A refusal says what happened and what to do instead. */
export function refuse(code: ToolErrorCode, message: string, retryable = false): NativeAnswer {
  return { ok: false, error: { code, message, retryable } };
}
