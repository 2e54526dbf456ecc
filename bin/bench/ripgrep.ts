import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';

/** ripgrep as a person would run it: started, read to the end, its output kept. */
export function bareRipgrep(directory: string, args: readonly string[]): Promise<Buffer> {
  const child = spawn(rgPath, args, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(Buffer.concat(chunks)) : reject(new Error(`ripgrep ended with ${code}`)),
    );
  });
}
