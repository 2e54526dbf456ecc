import { spawn } from 'node:child_process';

const TIMEOUT_MS = 20 * 60_000;

export interface ProgramOptions {
  readonly cwd: string;
  /** All of it. */
  readonly env: Readonly<Record<string, string>>;
  /** Its standard input, which is closed after `until`. Default: closed at once. */
  readonly input?: { readonly text: string; readonly until: Promise<void> };
}

/** Runs a program to its end. Resolves to the milliseconds that it took. Throws where its exit code is not 0. */
export async function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env, input }: ProgramOptions,
): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(file, args, { cwd, env, stdio: 'pipe' });
  let printed = '';
  const keep = (chunk: Buffer): void => void (printed = `${printed}${chunk.toString()}`.slice(-2_000));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.stdin.on('error', () => undefined);
  if (input === undefined) child.stdin.end();
  else {
    child.stdin.write(input.text);
    void input.until.then(() => child.stdin.end());
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${printed}`);
  return performance.now() - startedMs;
}
