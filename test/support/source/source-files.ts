import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dirname, '../../..');

export interface SourceFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file of the product: what is bundled, and nothing of the tests. */
export function sourceFiles(): readonly SourceFile[] {
  return ['src', 'tool-plugins'].flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(REPOSITORY, folder, name), 'utf8') })),
  );
}
