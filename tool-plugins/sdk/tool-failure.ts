import type { ToolErrorCode } from '../../src/contracts/model/tool-errors.ts';

/** Thrown by a tool that cannot do what was requested. The model gets code and message; the message says what to do instead. */
export class ToolFailure extends Error {
  readonly code: ToolErrorCode;

  constructor(code: ToolErrorCode, message: string) {
    super(message);
    this.name = 'ToolFailure';
    this.code = code;
  }
}
