import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = 20;
const FOLDERS = 10;
const FILES = 10;
const LINES = 60;
/** One in this many files uses what is searched for. */
const USES_EVERY = 16;

/** What the searches look for: 125 lines, one in each sixteenth file. */
export const PATTERN = 'parseConfig\\(\\w+\\)';

/**
 * A project to search: 2,000 source files in 200 folders, 4 MB, and 1,000 more that git ignores. The same on every machine.
 */
export function makeSourceTree(root: string): void {
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.gitignore'), 'node_modules/\ndist/\n*.log\n');
  let count = 0;
  for (let pack = 0; pack < PACKAGES; pack += 1) {
    for (let folder = 0; folder < FOLDERS; folder += 1) {
      const directory = join(root, `packages/p${pack}/src/f${folder}`);
      mkdirSync(directory, { recursive: true });
      for (let file = 0; file < FILES; file += 1) {
        writeFileSync(join(directory, `module-${file}.${file % 2 === 0 ? 'ts' : 'js'}`), sourceText(count));
        count += 1;
      }
    }
    const ignored = join(root, `packages/p${pack}/node_modules/some-package`);
    mkdirSync(ignored, { recursive: true });
    for (let file = 0; file < 50; file += 1) writeFileSync(join(ignored, `index-${file}.js`), sourceText(file));
  }
}

function sourceText(seed: number): string {
  return Array.from({ length: LINES }, (_, line) =>
    line === 30 && seed % USES_EVERY === 0
      ? `  const settings${seed} = parseConfig(text${seed});\n`
      : `export const value${seed}x${line} = ${seed * 31 + line};\n`,
  ).join('');
}
