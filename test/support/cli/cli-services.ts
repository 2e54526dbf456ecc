import { PassThrough } from 'node:stream';
import type { CliServices } from '../../../src/cli/command-line/cli-command.ts';
import { capturedOutput } from './captured-output.ts';

/** What a command works with, without a process: nothing on standard input, no signal, and no kernel to connect to. */
export function cliServices(given: Partial<CliServices> = {}): CliServices {
  return {
    env: {},
    output: capturedOutput(),
    stdin: textInput(''),
    signals: () => ({ onSignal: () => undefined }),
    connect: () => Promise.reject(new Error('the test has no kernel')),
    ...given,
  };
}

/** Standard input that is a pipe with this text in it. */
export function textInput(text: string): NodeJS.ReadStream {
  const stream = new PassThrough();
  stream.end(text);
  return stream as unknown as NodeJS.ReadStream;
}
