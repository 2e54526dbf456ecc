import { createInterface } from 'node:readline/promises';
import { execa } from 'execa';
import type { EditorSession } from '../config/policy/edit.ts';
import type { Environment } from '../open-project.ts';

/**
 * The person in front of the terminal: their editor, and their answers. Without a terminal nobody answers, and only an editor that was named is run: it
 * may be a program that needs none.
 */
export function personAtTerminal(env: Environment): EditorSession {
  const atTerminal = process.stdin.isTTY;
  const named = [env['VISUAL'], env['EDITOR']].find((command) => command !== undefined && command.trim() !== '');
  const command = named ?? (atTerminal ? 'vi' : '');
  return {
    edit: async (file) => {
      const [program, ...args] = command.split(' ').filter((word) => word !== '');
      if (program === undefined) return { kind: 'no-editor' };
      const ended = await execa(program, [...args, file], { stdio: 'inherit', reject: false });
      if (ended.exitCode === 0) return { kind: 'closed' };
      if (ended.exitCode === undefined && ended.signal === undefined) {
        if (named === undefined) return { kind: 'no-editor' };
        return { kind: 'failed', why: `the editor ${JSON.stringify(program)} could not be run` };
      }
      return { kind: 'failed', why: `the editor ended with ${ended.signal ?? `exit ${ended.exitCode ?? ''}`}` };
    },
    ask: async (question) => {
      if (!atTerminal) return null;
      const terminal = createInterface({ input: process.stdin, output: process.stderr });
      // Ctrl-D is no answer, and the wait for one must not go on.
      const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
      try {
        return await Promise.race([terminal.question(question), closed]);
      } finally {
        terminal.close();
      }
    },
  };
}
