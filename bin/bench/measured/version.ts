import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Bench, Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

export const version: Benchmark = {
  name: 'version',
  what: '`fluffy --version` from its start to its end, against `node -e 0`; and the bundled program asked the same, `node dist/cli.mjs --version`.',
  dominates:
    'bin/fluffy is a shell script that reads the version out of package.json and never starts Node; of the bundled program it is the start of Node itself.',
  async measure({ root }: Bench) {
    const timed = await interleave(
      [
        { name: '`node -e 0`', once: () => run(process.execPath, ['-e', '0']) },
        { name: '`fluffy --version`', once: () => run(join(root, 'bin/fluffy'), ['--version']) },
        {
          name: '`node dist/cli.mjs --version`',
          once: () => run(process.execPath, [join(root, 'dist/cli.mjs'), '--version']),
        },
      ],
      { warmUp: 3, atMost: 100, atLeast: 20, budgetMs: 10_000 },
    );
    const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
    const [bare, script, bundle] = rows;
    if (bare === undefined || script === undefined || bundle === undefined) throw new Error('nothing was timed');
    return {
      tables: [{ title: 'start to end', unit: 'ms', rows }],
      verdicts: [
        {
          what: '`fluffy --version` to `node -e 0`',
          value: script.summary.p50 / bare.summary.p50,
          unit: '',
          aim: { kind: 'at most', value: 1.15 },
        },
        {
          what: '`node dist/cli.mjs --version` to `node -e 0`',
          value: bundle.summary.p50 / bare.summary.p50,
          unit: '',
          aim: { kind: 'at most', value: 1.15 },
        },
      ],
    };
  },
};

function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
  });
}
