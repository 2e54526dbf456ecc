import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeDemoProject } from '../../../src/cli/demo/demo-project.ts';
import { DEMO_TASK, DEMO_TURNS } from '../../../src/cli/demo/demo-turns.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { summarise } from '../statistics.ts';

const ROUNDS = 4;

export const strictRun: Benchmark = {
  name: 'strict run',
  what: "A whole strict task, from the start of `fluffy -p` to its end: the demo's project and scripted model (`replay`, which thinks for no time), each time with a new project and so with a new kernel. What is left without the calls of `test.run` is what fluffy takes for itself. Beside it the bare `node --test` of the finished project, three times, as the run does it: for the baseline, red and green.",
  dominates:
    "About a quarter of it is the start: supervisor, kernel container, database. The rest is sandboxes that are made and removed (provider, git before and at the commit, the baseline's tests) and the disk, which every record before an effect waits for.",
  async measure(bench: Bench) {
    const whole: number[] = [];
    const starting: number[] = [];
    const testing: number[] = [];
    const own: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const run = await runDemo(bench);
      whole.push(run.wholeMs);
      starting.push(run.startMs);
      testing.push(run.testMs);
      own.push(run.wholeMs - run.testMs);
      bare.push(run.bareTestMs);
    }
    const rows = [
      { name: 'the whole run', summary: summarise(whole) },
      { name: 'its calls of `test.run`', summary: summarise(testing) },
      { name: "its start, until the session's first event", summary: summarise(starting) },
      { name: 'bare `node --test`, three times', summary: summarise(bare) },
    ];
    const ownMs = summarise(own).p50;
    const startMs = summarise(starting).p50;
    return {
      tables: [{ title: 'one strict task', unit: 'ms', rows }],
      verdicts: [
        { what: 'a strict run beyond model and tests, kernel started by it', value: ownMs, unit: 'ms', aim: null },
        {
          what: 'a strict run beyond model and tests, with a running kernel',
          value: ownMs - startMs,
          unit: 'ms',
          aim: null,
        },
      ],
    };
  },
};

async function runDemo({ directory }: Bench) {
  const { root } = await makeDemoProject();
  const home = makeFluffyHome();
  try {
    const replay = join(directory, 'turns.jsonl');
    writeFileSync(replay, DEMO_TURNS.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    const startedMs = performance.now();
    const startedAtMs = Date.now();
    const { code, events, stderr } = await home.run(
      ['-p', DEMO_TASK, '--model', `replay/${replay}`, '--output-format', 'stream-json'],
      { cwd: root },
    );
    const wholeMs = performance.now() - startedMs;
    if (code !== 0) throw new Error(`the run ended with ${code}: ${stderr}`);
    const bareStartedMs = performance.now();
    for (let index = 0; index < 3; index += 1) {
      await promisify(execFile)(process.execPath, ['--test'], { cwd: root, env: { PATH: process.env['PATH'] } });
    }
    return {
      wholeMs,
      startMs: (events[0]?.ts ?? NaN) - startedAtMs,
      testMs: testTime(events),
      bareTestMs: performance.now() - bareStartedMs,
    };
  } finally {
    await home.remove([root]);
    rmSync(root, { recursive: true, force: true });
  }
}

function testTime(events: readonly FluffyEvent[]): number {
  let sumMs = 0;
  for (const event of events)
    if (event.type === 'tool.finished' && event.tool === 'test.run') sumMs += event.duration_ms;
  return sumMs;
}
