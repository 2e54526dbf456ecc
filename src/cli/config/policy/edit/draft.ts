import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The text that a person edits, outside of the project. */
export interface Draft {
  readonly file: string;
  readonly discard: () => Promise<void>;
  /**
   * Discards what is as it was given, and resolves to null; else to where there is something of the person's, which stays. So does all of it while an
   * editor may live that could still save.
   */
  readonly keepIfChanged: (editorMayLive: boolean) => Promise<string | null>;
}

/** In a directory of its own that nobody else can look into or put links in. */
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
      // What an editor that was killed had not saved is in a file of its own.
      const others = (await readdir(directory).catch(() => [])).filter((name) => name !== NAME);
      if (others.length > 0) return directory;
      if (editorMayLive) return file;
      await discard();
      return null;
    },
  };
}

const NAME = 'policy.yaml';
