import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { baselineText } from '../../../kernel/proof/coverage/baseline-file.ts';
import { writeWhole } from '../config-commands.ts';

const BASELINE_FILE = '.fluffy/coverage-baseline.json';

/** Writes a baseline without a value, which the next strict commit fills in, and reports it. An existing file is unchanged. */
export async function initCoverage(projectRoot: string): Promise<string> {
  const file = join(projectRoot, BASELINE_FILE);
  if ((await lstat(file).catch(() => null)) !== null) return `${file} is there already.\n`;
  await writeWhole(file, baselineText({ version: 1, lines: null, runner: '', languages: [] }), projectRoot);
  return (
    `Wrote ${file}. Commit it: from then on the suite runs once more for each commit, and the lines of source that it executes are counted.\n` +
    'The next commit in strict mode sets the baseline.\n'
  );
}
