import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** More names are of no use to a person, and of no good to memory. */
const MAX_FILES = 200_000;
/** ripgrep waits for a pipe in the place of an ignore file, for ever. */
const DEADLINE_MS = 10_000;

/**
 * The project's files by ripgrep, which leaves out what .gitignore names. It reads names alone, and no configuration of anybody's. Empty where it cannot
 * be run; what it found so far where it does not end.
 */
export async function listFiles(root: string, deadlineMs = DEADLINE_MS): Promise<readonly string[]> {
  const { rgPath } = await import('@vscode/ripgrep');
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  const paths: string[] = [];
  const program = spawn(rgPath, ['--files', '--hidden', '--no-config', '--no-messages', '--glob', '!.git', '.'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  });
  const end = (): void => void program.kill('SIGKILL');
  process.once('exit', end);
  program.on('error', () => resolve([]));
  const lines = createInterface({ input: program.stdout });
  lines.on('line', (line) => {
    paths.push(line.replace(/^\.\//, ''));
    if (paths.length === MAX_FILES) program.kill();
  });
  lines.on('close', () => process.off('exit', end));
  lines.on('close', () => resolve(paths.slice(0, MAX_FILES).sort()));
  return promise;
}
