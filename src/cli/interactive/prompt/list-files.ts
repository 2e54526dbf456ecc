import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { searchByIgnoreFiles } from '../../../platform/fs/ripgrep/odd-ignore-files.ts';
import { ignoredIn } from '../../project/ignored-in.ts';

/** More names are of no use to a person and take too much memory. */
const MAX_FILES = 200_000;
const DEADLINE_MS = 10_000;

/**
 * The project's files by ripgrep, without what git ignores. It reads only names, and no configuration. Empty if it cannot run; the files so far if it
 * does not end in time.
 */
export function listFiles(root: string): Promise<readonly string[]> {
  return searchByIgnoreFiles(root, AbortSignal.timeout(DEADLINE_MS), async (goBy, signal) => {
    const all = goBy === 'nothing';
    const paths = await namesByRipgrep(root, all ? ['--no-ignore'] : [], signal);
    if (!all) return paths;
    const ignored = ignoredIn(root);
    return paths.filter((path) => !ignored.isIgnored(path, false));
  });
}

async function namesByRipgrep(root: string, options: readonly string[], signal: AbortSignal): Promise<string[]> {
  const { rgPath } = await import('@vscode/ripgrep');
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const paths: string[] = [];
  const fixed = ['--files', '--hidden', '--no-config', '--no-messages', '--no-ignore-dot', '--glob', '!.git'];
  const program = spawn(rgPath, [...fixed, ...options, '.'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    signal,
    killSignal: 'SIGKILL',
  });
  const end = (): void => void program.kill('SIGKILL');
  process.once('exit', end);
  program.on('error', () => (program.pid === undefined ? resolve([]) : undefined));
  const lines = createInterface({ input: program.stdout });
  lines.on('line', (line) => {
    paths.push(line.replace(/^\.\//, ''));
    if (paths.length === MAX_FILES) program.kill();
  });
  lines.on('close', () => process.off('exit', end));
  lines.on('close', () => resolve(paths.slice(0, MAX_FILES).sort()));
  return promise;
}
