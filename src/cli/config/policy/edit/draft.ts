import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The text that a person edits, outside of the project. */
export interface Draft {
  readonly file: string;
  readonly discard: () => Promise<void>;
  /**
   * Deletes an unchanged draft, and resolves to null. Otherwise keeps the person's text and resolves to its path. Everything is kept while an editor
   * may still run and save.
   */
  readonly keepIfChanged: (editorMayLive: boolean) => Promise<string | null>;
}

/** In a directory of its own that nobody else can read or put links in. */
export async function makeDraft(text: string): Promise<Draft> {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-policy-'));
  const file = join(directory, NAME);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  const discard = () => rm(directory, { recursive: true, force: true });
  return {
    file,
    discard,
    keepIfChanged: async (editorMayLive) => {
      const now = await readFile(file).catch(() => null);
      if (now !== null && !now.equals(Buffer.from(text))) return file;
      // An editor that was killed keeps unsaved text in a file of its own.
      const others = (await readdir(directory).catch(() => [])).filter((name) => name !== NAME);
      if (others.length > 0) return directory;
      if (editorMayLive) return file;
      await discard();
      return null;
    },
  };
}

const NAME = 'policy.yaml';
