import { spawn } from 'node:child_process';
import { eachLine } from '../sdk/each-line.ts';

export interface ProgramEnd {
  readonly code: number | null;
  /** stdout and stderr, the last of them. */
  readonly output: string;
}

const KEPT_CHARACTERS = 64 * 1024;

export interface ProgramStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Gets each line that it prints as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Runs a program to its end. What it prints is passed on, for the log of the container. */
export function runProgram(
  [program = '', ...args]: readonly string[],
  { onLine, ...options }: ProgramStart,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      if (onLine !== undefined) stream.on('data', eachLine(onLine));
      stream.on('data', (chunk: Buffer) => {
        process.stderr.write(chunk);
        output = (output + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
