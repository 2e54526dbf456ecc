import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDemoProject } from '../../../src/cli/demo/demo-project.ts';
import { DEMO_TASK, DEMO_TURNS } from '../../../src/cli/demo/demo-turns.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import type { Bench, Benchmark, Verdict } from '../benchmark.ts';
import { summarise } from '../statistics.ts';

/** A suite shorter than this may cost a fixed time more. */
const SHORT_MS = 5_000;
const SUITES_MS = [200, 2_000, 20_000, 120_000];

/** The old tests of a project wait this long, in a file of their own. */
const slowTest = (ms: number): string => `import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import test from 'node:test';

test('is slow', async () => {
  await setTimeout(${ms});
  assert.equal(Number('1'), 1);
});
`;

export const proofCost: Benchmark = {
  name: 'proof',
  what: 'What the proof adds to a suite: the demo in projects whose old tests wait for 0.2, 2, 20 and 120 seconds, from the start of the `test.run` that finds the suite green to the end of the last observation but mutation, less the time of the suite; and to its end, with mutation. Beside it the bare `node --test` of the finished project. The machine waits where a suite would compute: with one that needs all processors the observations wait for one another.',
  dominates:
    "The project's own test command, which runs the whole suite once more; beside it run the new tests, without the new source, with it and in other forms, and the findings. Each needs a sandbox of its own.",
  async measure(bench: Bench) {
    const runs = [];
    for (const suiteMs of SUITES_MS) runs.push(await runWith(bench, suiteMs));
    const tables = runs.map(({ suiteMs, bareMs, observedMs, wholeMs }) => ({
      title: `old tests that take ${suiteMs / 1_000} s`,
      unit: 'ms' as const,
      rows: [
        { name: 'bare `node --test`', summary: summarise([bareMs]) },
        { name: 'suite and observations but mutation', summary: summarise([observedMs]) },
        { name: 'all of it', summary: summarise([wholeMs]) },
      ],
    }));
    return { tables, verdicts: runs.map(verdictOf) };
  },
};

interface ProofRun {
  readonly suiteMs: number;
  readonly bareMs: number;
  /** The suite and every observation but mutation. */
  readonly observedMs: number;
  readonly wholeMs: number;
}

function verdictOf({ suiteMs, bareMs, observedMs }: ProofRun): Verdict {
  const beyondMs = observedMs - bareMs;
  const what = `proof beyond a suite of ${suiteMs / 1_000} s, without mutation`;
  if (suiteMs < SHORT_MS)
    return { what, value: beyondMs, unit: 'ms', aim: { kind: 'at most', value: 2 * bareMs + 3_000 } };
  return { what: `${what}, to the suite`, value: beyondMs / bareMs, unit: '', aim: { kind: 'at most', value: 1.6 } };
}

async function runWith({ directory }: Bench, suiteMs: number): Promise<ProofRun> {
  const { root } = await makeDemoProject({ 'test/slow.test.js': slowTest(suiteMs) });
  const home = makeFluffyHome();
  try {
    const replay = join(directory, 'turns.jsonl');
    writeFileSync(replay, DEMO_TURNS.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    const { code, events, stderr } = await home.run(
      ['-p', DEMO_TASK, '--model', `replay/${replay}`, '--output-format', 'stream-json'],
      { cwd: root, timeoutMs: 120_000 + 10 * suiteMs },
    );
    if (code !== 0) throw new Error(`the run ended with ${code}: ${stderr}`);
    const startedMs = performance.now();
    await promisify(execFile)(process.execPath, ['--test'], { cwd: root, env: { PATH: process.env['PATH'] } });
    return { suiteMs, bareMs: performance.now() - startedMs, ...timesOf(events) };
  } finally {
    await home.remove([root]);
    rmSync(root, { recursive: true, force: true });
  }
}

/** Of the last `test.run`, which is the one that finds the suite green. */
function timesOf(events: readonly FluffyEvent[]): Pick<ProofRun, 'observedMs' | 'wholeMs'> {
  const green = events.findLast((event) => event.type === 'tool.finished' && event.tool === 'test.run');
  if (green?.type !== 'tool.finished') throw new Error('the run has no test.run');
  const startMs = green.ts - green.duration_ms;
  const ends = events.flatMap((event) =>
    event.type === 'proof.finished' && event.observation !== 'mutation' && event.ts > startMs ? [event.ts] : [],
  );
  return { observedMs: Math.max(...ends) - startMs, wholeMs: green.duration_ms };
}
