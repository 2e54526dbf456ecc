import type { ToolErrorCode } from '../../src/contracts/tool-errors.ts';

/** What a tool throws when it cannot do what was asked; the model is told both. The message says what to do instead. */
export class ToolFailure extends Error {
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.name = 'ToolFailure';
    this.code = code;
  }
}
