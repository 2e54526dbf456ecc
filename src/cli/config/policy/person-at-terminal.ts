import { createInterface } from 'node:readline/promises';
import { ENDING_SIGNALS } from '../../../lib/ending-signals.ts';
import type { Environment } from '../../open-project.ts';
import type { Answer, EditorSession, Edited, EndedBy } from './edit/editor-session.ts';
import { configuredEditor, runEditor } from '../../editor/run-editor.ts';

export interface PersonAtTerminal extends EditorSession {
  readonly ended: Promise<EndedBy>;
  /** Restores the earlier signal handling. */
  close(): void;
}

export interface TerminalOptions {
  readonly env: Environment;
  /** A program reads standard output, so an editor draws on standard error. */
  readonly json?: boolean;
  /** Where questions are asked. Default: the terminal of the process. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output?: NodeJS.WritableStream;
}

/**
 * The person at the terminal: their editor, and their answers. Without a terminal every answer is null, and only a configured editor is run, which
 * may need no terminal. From here on signals do not end the process, so that the caller can report where the draft is. While an editor runs, Ctrl-C
 * is left to the editor, as git does, and any other signal that ends a process ends the editor first.
 */
export function personAtTerminal(options: TerminalOptions): PersonAtTerminal {
  const { env, json = false, input = process.stdin, output = process.stderr } = options;
  const atTerminal = input.isTTY === true;
  const named = configuredEditor(env);
  const command = named ?? (atTerminal ? 'vi' : null);
  const { promise: ended, resolve: end } = Promise.withResolvers<EndedBy>();
  let terminateEditor: (() => void) | null = null;
  const onInterrupt = () => {
    if (terminateEditor === null) end('SIGINT');
  };
  const onTerminate = () => {
    if (terminateEditor === null) end('SIGTERM');
    else terminateEditor();
  };
  process.on('SIGINT', onInterrupt);
  for (const signal of ENDING_SIGNALS) process.on(signal, onTerminate);

  const edit = async (file: string): Promise<Edited> => {
    if (command === null) return { kind: 'no-editor' };
    const editor = runEditor(command, file, ['inherit', json ? process.stderr : 'inherit', 'inherit']);
    terminateEditor = editor.terminate;
    const end = await editor.end;
    terminateEditor = null;
    if (end.kind === 'closed' || end.kind === 'ended') return end;
    if (end.kind === 'failed') return { kind: 'failed', why: `the editor ended with ${end.how}` };
    if (named === null) return { kind: 'no-editor' };
    return { kind: 'failed', why: `the editor ${JSON.stringify(command)} could not be run` };
  };

  const ask = async (question: string, signal?: AbortSignal): Promise<Answer> => {
    if (!atTerminal) return null;
    const terminal = createInterface({ input, output });
    const { promise: noAnswer, resolve } = Promise.withResolvers<Answer>();
    terminal.once('SIGINT', () => resolve({ kind: 'ended', by: 'SIGINT' }));
    terminal.once('close', () => resolve({ kind: 'ended', by: 'end-of-input' }));
    const abort = () => resolve({ kind: 'ended', by: 'end-of-input' });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted === true) abort();
    try {
      // Closing rejects the question or leaves it pending; the other promise reports the closing.
      const answered = terminal.question(question).catch(() => noAnswer);
      const answer = await Promise.race([answered, noAnswer]);
      if (typeof answer !== 'string') output.write('\n');
      return answer;
    } finally {
      signal?.removeEventListener('abort', abort);
      terminal.close();
    }
  };

  const close = () => {
    process.off('SIGINT', onInterrupt);
    for (const signal of ENDING_SIGNALS) process.off(signal, onTerminate);
  };
  return { edit, ask, ended, close };
}
