import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { openKernelReads } from '../kernel-reads.ts';
import { bareRipgrep } from '../ripgrep.ts';
import { PATTERN, makeSourceTree } from '../source-tree.ts';
import { summarise } from '../statistics.ts';

export const searchGrep: Benchmark = {
  name: 'search.grep',
  what: 'A call of `search.grep` from its arguments to the answer for the model, against `rg --line-number` started in the same tree with the same pattern and read to its end: 2,000 files, 125 matches in as many files, 1,000 files that git ignores. Once with nothing staged, once with a staged file, which is searched as a layer of its own.',
  dominates:
    'Both are mostly the start of ripgrep and its walk; what the kernel adds is policy asked about each file with a match, and the answer put in order.',
  async measure({ root, directory }) {
    const project = join(directory, 'project');
    mkdirSync(project);
    makeSourceTree(project);
    const untouched = await openKernelReads(root, project, join(directory, 'state-untouched'));
    const staged = await openKernelReads(root, project, join(directory, 'state-staged'));
    try {
      await staged.stage('packages/p1/src/f1/module-new.ts', 'export const found = parseConfig(text);\n');
      const timed = await interleave(
        [
          { name: '`rg`', once: async () => void (await bareRipgrep(project, ['--line-number', PATTERN])) },
          { name: '`search.grep`', once: async () => void (await untouched.call('search.grep', { pattern: PATTERN })) },
          {
            name: '`search.grep`, one file staged',
            once: async () => void (await staged.call('search.grep', { pattern: PATTERN })),
          },
        ],
        { warmUp: 10, atMost: 300, atLeast: 50, budgetMs: 12_000 },
      );
      const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      const [bare, grep, grepStaged] = rows;
      if (bare === undefined || grep === undefined || grepStaged === undefined) throw new Error('nothing was timed');
      return {
        tables: [{ title: 'one search', unit: 'ms', rows }],
        verdicts: [
          {
            what: '`search.grep` to `rg`',
            value: grep.summary.p50 / bare.summary.p50,
            unit: '',
            aim: { kind: 'at most', value: 1.1 },
          },
          {
            what: '`search.grep` with a staged file to `rg`',
            value: grepStaged.summary.p50 / bare.summary.p50,
            unit: '',
            aim: null,
          },
        ],
      };
    } finally {
      await untouched.close();
      await staged.close();
    }
  },
};
