import { spawn } from 'node:child_process';

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** null: a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
}

/** Runs a program to its end, without input. */
export function output(
  program: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on('data', (part: Buffer) => parts.stdout.push(part));
    child.stderr.on('data', (part: Buffer) => parts.stderr.push(part));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const text = (of: readonly Buffer[]): string => Buffer.concat(of).toString('utf8');
      resolve({ stdout: text(parts.stdout), stderr: text(parts.stderr), code, signal });
    });
  });
}
