import { spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { editorArguments } from './editor-arguments.ts';

/** How an editor ended. Only after `closed` is the text in its file to be used. */
export type EditorEnd =
  | { readonly kind: 'closed' }
  /** The program does not exist or cannot be executed. */
  | { readonly kind: 'not-run' }
  | { readonly kind: 'ended'; readonly by: 'SIGINT' | 'SIGTERM' }
  /** `how`: `exit 1`, or the name of a signal. */
  | { readonly kind: 'failed'; readonly how: string };

export interface RunningEditor {
  readonly end: Promise<EditorEnd>;
  terminate(): void;
}

/** The editor that the person has configured, as shell text, or null. */
export function configuredEditor(env: Readonly<Record<string, string | undefined>>): string | null {
  return [env['VISUAL'], env['EDITOR']].find((command) => command !== undefined && command.trim() !== '') ?? null;
}

/** Opens a file in an editor, which uses the terminal of this process unless `stdio` says otherwise. */
export function runEditor(command: string, file: string, stdio: StdioOptions = 'inherit'): RunningEditor {
  const { promise: end, resolve } = Promise.withResolvers<EditorEnd>();
  let terminated = false;
  const editor = spawn('sh', editorArguments(command, file), { stdio });
  editor.on('error', () => resolve({ kind: 'not-run' }));
  editor.on('close', (code, signal) => resolve(terminated ? { kind: 'ended', by: 'SIGTERM' } : endOf(code, signal)));
  const terminate = (): void => {
    terminated = true;
    editor.kill('SIGTERM');
  };
  return { end, terminate };
}

/** Exit codes of a shell: command ended by SIGINT, not executable, not found. */
const SHELL_INTERRUPTED = 130;
const NOT_RUNNABLE = 126;
const NOT_FOUND = 127;

function endOf(code: number | null, signal: NodeJS.Signals | null): EditorEnd {
  if (signal === 'SIGTERM') return { kind: 'ended', by: 'SIGTERM' };
  if (signal === 'SIGINT' || code === SHELL_INTERRUPTED) return { kind: 'ended', by: 'SIGINT' };
  if (signal !== null) return { kind: 'failed', how: signal };
  if (code === 0) return { kind: 'closed' };
  if (code === null || code === NOT_RUNNABLE || code === NOT_FOUND) return { kind: 'not-run' };
  return { kind: 'failed', how: `exit ${code}` };
}
