import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { openKernelReads } from '../kernel-reads.ts';
import { bareRipgrep } from '../ripgrep.ts';
import { makeSourceTree } from '../source-tree.ts';
import { summarise } from '../statistics.ts';

export const searchGlob: Benchmark = {
  name: 'search.glob',
  what: 'A call of `search.glob` from its arguments to the answer for the model, against `rg --files` with the same glob in the same tree, read to its end: 2,000 files, 1,000 more that git ignores. Once over the whole tree, once below a folder that the pattern names.',
  dominates:
    'Both start ripgrep, and that with its walk is nearly all of it: the kernel lists whole folders and matches by itself, asks policy about each name that it shows, and can only win where the pattern names a folder to begin in.',
  async measure({ root, directory }) {
    const project = join(directory, 'project');
    mkdirSync(project);
    makeSourceTree(project);
    const kernel = await openKernelReads(root, project, join(directory, 'state'));
    try {
      const rg = (glob: string) => async () => void (await bareRipgrep(project, ['--files', `--glob=${glob}`]));
      const own = (pattern: string) => async () => void (await kernel.call('search.glob', { pattern }));
      const timed = await interleave(
        [
          { name: '`rg --files`, `**/*.ts`', once: rg('**/*.ts') },
          { name: '`search.glob`, `**/*.ts`', once: own('**/*.ts') },
          { name: '`rg --files`, `packages/p3/**/*.ts`', once: rg('packages/p3/**/*.ts') },
          { name: '`search.glob`, `packages/p3/**/*.ts`', once: own('packages/p3/**/*.ts') },
        ],
        { warmUp: 10, atMost: 300, atLeast: 50, budgetMs: 12_000 },
      );
      const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      const [bareAll, all, bareOne, one] = rows;
      if (bareAll === undefined || all === undefined || bareOne === undefined || one === undefined)
        throw new Error('nothing was timed');
      return {
        tables: [{ title: 'one search', unit: 'ms', rows }],
        verdicts: [
          {
            what: '`search.glob` to `rg --files`, whole tree',
            value: all.summary.p50 / bareAll.summary.p50,
            unit: '',
            aim: { kind: 'at most', value: 0.6 },
          },
          {
            what: '`search.glob` to `rg --files`, one folder of it',
            value: one.summary.p50 / bareOne.summary.p50,
            unit: '',
            aim: { kind: 'at most', value: 0.6 },
          },
        ],
      };
    } finally {
      await kernel.close();
    }
  },
};
