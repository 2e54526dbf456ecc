/**
 * Breaks the two small projects beside this file in every way that the proof knows, and runs their tests on each: what is to be compared with what other
 * programs for mutation find in them (docs/evidence.md).
 *
 *   node bin/bench/mutants/main.ts
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutantsInTurns } from '../../../src/kernel/proof/mutation/chosen-mutants.ts';
import { mutantsOf } from '../../../src/kernel/proof/mutation/mutants-of.ts';
import { syntaxParser } from '../../../src/platform/syntax/syntax-parser.ts';

const PROJECTS = [
  { name: 'javascript', language: 'javascript', source: 'src/price.js', test: [process.execPath, '--test'] },
  {
    name: 'python',
    language: 'python',
    source: 'price.py',
    test: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
  },
] as const;
/** More than these projects have. */
const ALL = 1_000;

const parse = syntaxParser(() => performance.now());

for (const { name, language, source, test } of PROJECTS) {
  const directory = mkdtempSync(join(tmpdir(), 'fluffy-mutants-'));
  try {
    cpSync(join(import.meta.dirname, name), directory, { recursive: true });
    const after = readFileSync(join(directory, source), 'utf8');
    const changedLines = new Set(after.split('\n').map((_, index) => index + 1));
    const broken = await mutantsOf({ text: after, language, changedLines, maxMutants: ALL }, parse);
    if (broken.kind !== 'mutants') throw new Error(broken.why);
    const { chosen } = await mutantsInTurns([{ path: source, before: null, after }], parse);
    const isChosen = new Set(chosen.map(({ mutant }) => mutant.text));
    const startedMs = performance.now();
    let noticed = 0;
    for (const mutant of broken.mutants) {
      writeFileSync(join(directory, source), mutant.text);
      const [program, ...args] = test;
      // A report of the outer runner's would make node --test a child of it.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const isNoticed =
        spawnSync(program, args, { cwd: directory, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' }, timeout: 60_000 })
          .status !== 0;
      if (isNoticed) noticed += 1;
      const marks = `${isNoticed ? 'noticed ' : 'survived'} ${isChosen.has(mutant.text) ? 'tried by a commit' : '                 '}`;
      const oneLine = (text: string): string => JSON.stringify(text.replace(/\s+/g, ' '));
      process.stdout.write(`${marks}  line ${mutant.line}: ${oneLine(mutant.before)} -> ${oneLine(mutant.after)}\n`);
    }
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    process.stdout.write(`${name}: ${noticed} of ${broken.mutants.length} noticed, in ${seconds} s\n\n`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
