import { spawn } from 'node:child_process';
import { eachLine } from '../../sdk/each-line.ts';

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** null: a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

interface Start {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Gets each line of standard output as it comes. */
  readonly onLine?: (line: string) => void;
}

/** Runs a program to its end, without input. */
export function output(
  program: string,
  args: readonly string[],
  { cwd, env = process.env, onLine }: Start,
): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on('data', (part: Buffer) => parts.stdout.push(part));
    if (onLine !== undefined) child.stdout.on('data', eachLine(onLine));
    child.stderr.on('data', (part: Buffer) => parts.stderr.push(part));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const text = (of: readonly Buffer[]): string => Buffer.concat(of).toString('utf8');
      resolve({ stdout: text(parts.stdout), stderr: text(parts.stderr), code, signal });
    });
  });
}
