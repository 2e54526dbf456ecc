import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The text that a person edits, outside of the project. */
export interface Draft {
  readonly file: string;
  readonly discard: () => Promise<void>;
  /** Discards what is as it was given; true if there is something of the person's in it, which stays. */
  readonly keepIfChanged: () => Promise<boolean>;
}

/** In a directory of its own that nobody else can look into or put links in. */
export async function makeDraft(text: string): Promise<Draft> {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-policy-'));
  const file = join(directory, 'policy.yaml');
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  const discard = () => rm(directory, { recursive: true, force: true });
  return {
    file,
    discard,
    keepIfChanged: async () => {
      const now = await readFile(file).catch(() => null);
      if (now !== null && !now.equals(Buffer.from(text))) return true;
      await discard();
      return false;
    },
  };
}
