import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { openKernelReads } from '../kernel-reads.ts';
import { makeSourceTree } from '../source-tree.ts';
import { summarise } from '../statistics.ts';

const PATH = 'packages/p3/src/f4/module-5.js';
const LARGE_PATH = 'packages/p3/large.txt';

export const fsRead: Benchmark = {
  name: 'fs.read',
  what: 'A call of `fs.read` from its arguments to the answer for the model, as the pipeline does it: parsed, path resolved component by component, policy asked, read, numbered, cleaned of keys, recorded and sent. A file of 2 KB four folders deep, and one of 64 KB; beside them a plain `readFile`.',
  dominates:
    'Most of it is the walk that pins every component of the path by a descriptor (three times: to decide, to find, and to read) and the validation of two records for the audit log; the slowest in a hundred are those in which a hundred buffered records are written to disk.',
  async measure({ root, directory }) {
    const project = join(directory, 'project');
    mkdirSync(project);
    makeSourceTree(project);
    writeFileSync(join(project, LARGE_PATH), 'the quick brown fox jumps over the lazy dog.\n'.repeat(1_450));
    const kernel = await openKernelReads(root, project, join(directory, 'state'));
    try {
      const timed = await interleave(
        [
          { name: '`fs.read`, 2 KB', once: async () => void (await kernel.call('fs.read', { path: PATH })) },
          { name: '`fs.read`, 64 KB', once: async () => void (await kernel.call('fs.read', { path: LARGE_PATH })) },
          { name: '`readFile`, 2 KB', once: async () => void (await readFile(join(project, PATH), 'utf8')) },
        ],
        { warmUp: 300, atMost: 3_000, atLeast: 500, budgetMs: 8_000 },
      );
      const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      const [small, large] = rows;
      if (small === undefined || large === undefined) throw new Error('nothing was timed');
      return {
        tables: [{ title: 'one call', unit: 'ms', rows }],
        verdicts: [
          { what: '`fs.read` of a small file, p50', value: small.summary.p50, unit: 'ms', aim: null },
          {
            what: '`fs.read` of a small file, p99',
            value: small.summary.p99,
            unit: 'ms',
            aim: { kind: 'at most', value: 0.5 },
          },
        ],
      };
    } finally {
      await kernel.close();
    }
  },
};
