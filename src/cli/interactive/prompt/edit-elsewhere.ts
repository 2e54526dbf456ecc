import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Edited =
  | { readonly kind: 'saved'; readonly text: string }
  /** The editor could not be run, or ended with an error. */
  | { readonly kind: 'failed' }
  /** What is on the screen are plain lines, which cannot be interrupted. */
  | { readonly kind: 'no-terminal' };

/**
 * The text in the person's own editor (`VISUAL`, else `EDITOR`, else `vi`), which has the terminal meanwhile. The file is in a directory that only its owner
 * can read, and is removed.
 */
export async function editElsewhere(text: string, name: string, env: NodeJS.ProcessEnv): Promise<Edited> {
  const [program = 'vi', ...args] = (env['VISUAL'] || env['EDITOR'] || '').split(' ').filter((word) => word !== '');
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-edit-'));
  const file = join(directory, name);
  try {
    await writeFile(file, text, { mode: 0o600 });
    const saved = await new Promise<boolean>((resolve) => {
      const editor = spawn(program, [...args, file], { stdio: 'inherit' });
      editor.on('error', () => resolve(false));
      editor.on('close', (code) => resolve(code === 0));
    });
    return saved ? { kind: 'saved', text: await readFile(file, 'utf8') } : { kind: 'failed' };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
