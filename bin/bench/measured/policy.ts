import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { Bench, Benchmark } from '../benchmark.ts';
import { summarise } from '../statistics.ts';

/** The report of bin/bench/policy.mjs. It takes the best of many rounds, so each figure is one sample. */
const reportSchema = z.object({
  results: z.array(z.object({ rules: z.number(), fullUs: z.number(), tokenUs: z.number(), loopUs: z.number() })).min(2),
  growth: z.number(),
  load: z.object({ firstMs: z.number(), bestMs: z.number() }),
});

export const policy: Benchmark = {
  name: 'policy',
  what: 'One decision of the policy by a capability token, and in full by all rules, with 10 to 10,000 rules of eight syscalls, against a bare loop over the precompiled matchers of the same rules; and loading 1,000 rules from YAML (`node bin/bench/policy.mjs`: the best of repeated timings).',
  dominates:
    'Of a full decision it is one walk through the trie of globs by the path, and the list of matching rules; of loading, the first time in a process, it is code that has not been compiled yet: parser, schema and globs.',
  async measure({ root }: Bench) {
    const script = join(root, 'bin/bench/policy.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, script, '--json']);
    const { results, growth, load } = reportSchema.parse(JSON.parse(stdout));
    const largest = results.reduce((one, other) => (other.rules > one.rules ? other : one));
    const rows = results.flatMap(({ rules, fullUs, tokenUs, loopUs }) => {
      const count = `${rules.toLocaleString('en-US')} rules`;
      return [
        { name: `by token, ${count}`, summary: summarise([tokenUs]) },
        { name: `in full, ${count}`, summary: summarise([fullUs]) },
        { name: `bare loop, ${count}`, summary: summarise([loopUs]) },
      ];
    });
    return {
      tables: [{ title: 'one decision', unit: 'µs', rows }],
      verdicts: [
        ...results.map(({ rules, fullUs, loopUs }) => ({
          what: `policy in full to a bare loop, ${rules.toLocaleString('en-US')} rules`,
          value: fullUs / loopUs,
          unit: '' as const,
          aim: null,
        })),
        { what: 'policy in full, 10,000 rules', value: largest.fullUs, unit: 'µs', aim: { kind: 'at most', value: 1 } },
        { what: 'policy in full, 10,000 rules to 10', value: growth, unit: '', aim: { kind: 'at most', value: 3.5 } },
        {
          what: 'loading 1,000 rules, first thing in a process',
          value: load.firstMs,
          unit: 'ms',
          aim: { kind: 'at most', value: 50 },
        },
        { what: 'loading 1,000 rules, again', value: load.bestMs, unit: 'ms', aim: { kind: 'at most', value: 50 } },
      ],
    };
  },
};
