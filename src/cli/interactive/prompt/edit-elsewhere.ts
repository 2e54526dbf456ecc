import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The text in the person's own editor (`VISUAL`, else `EDITOR`, else `vi`), which has the terminal meanwhile. Resolves to the text as it was saved, or to
 * null where the editor could not be run or failed. The file is in a directory that only its owner can read, and is removed.
 */
export async function editElsewhere(text: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const [program = 'vi', ...args] = (env['VISUAL'] || env['EDITOR'] || '').split(' ').filter((word) => word !== '');
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-prompt-'));
  const file = join(directory, 'prompt.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const saved = await new Promise<boolean>((resolve) => {
      const editor = spawn(program, [...args, file], { stdio: 'inherit' });
      editor.on('error', () => resolve(false));
      editor.on('close', (code) => resolve(code === 0));
    });
    return saved ? (await readFile(file, 'utf8')).replace(/\n$/, '') : null;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
