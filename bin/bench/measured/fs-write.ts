import { connectKernel } from '../../../src/cli/connect-kernel.ts';
import { openProject } from '../../../src/cli/open-project.ts';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { ReplayTurn } from '../../../src/contracts/model/model.ts';
import type { SessionOptions } from '../../../src/contracts/session/session-protocol.ts';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import { makeJobProject } from '../../../test/support/job/job-project.ts';
import { openBareContainers } from '../bare-container.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { summarise } from '../statistics.ts';

const ROUNDS = 10;
/** Long enough for a standby to be made and for bare containers to run, one after the other. */
const PAUSE_MS = 3_000;
/** After which a standby has been made again. */
const STANDBY_READY_MS = 1_000;

export const fsWrite: Benchmark = {
  name: 'fs.write',
  what: "A call of `fs.write` in a running kernel, from the request to the result: parsed, decided, recorded, run in a sandbox of its own, its patch checked, staged and recorded. Once with a standby waiting, once right behind another call, with the standby still in the making. Against the engine's bare create, start, wait and remove of a container of the same image that does nothing (`true`) and one that starts Node and does nothing (`node -e 0`).",
  dominates:
    'With a standby it is the records and the staged file that are synced to disk, about ten times; without one it is the engine: create and start of the container, then the start of Node in it.',
  async measure(bench: Bench) {
    const times = await play(bench);
    const rows = Object.entries(times).map(([name, samples]) => ({ name, summary: summarise(samples) }));
    const p50 = (name: keyof typeof times) => summarise(times[name]).p50;
    const verdict = (what: string, value: number) => ({ what, value, unit: '', aim: null }) as const;
    return {
      tables: [{ title: 'request to result', unit: 'ms', rows }],
      verdicts: [
        verdict(
          '`fs.write` with a standby to a bare container',
          p50('`fs.write`, standby waiting') / p50('bare container, `true`'),
        ),
        verdict(
          '`fs.write` without a standby to a bare container',
          p50('`fs.write`, no standby yet') / p50('bare container, `true`'),
        ),
        verdict(
          '`fs.write` without a standby to a bare container that starts Node',
          p50('`fs.write`, no standby yet') / p50('bare container, `node -e 0`'),
        ),
      ],
    };
  },
};

/** One session that writes twice in a row, pauses, and so on; in the pauses the engine runs its bare containers. */
async function play({ root }: Bench) {
  const times = {
    '`fs.write`, standby waiting': [] as number[],
    '`fs.write`, no standby yet': [] as number[],
    'bare container, `true`': [] as number[],
    'bare container, `node -e 0`': [] as number[],
  };
  const bare = await openBareContainers('node', userDirs(process.env).stateHome);
  const project = makeJobProject();
  const home = makeFluffyHome();
  const problems: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  let writes = 0;
  let pause = Promise.resolve();

  const bareRound = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, STANDBY_READY_MS));
    for (const [name, command] of BARE) {
      const startedMs = performance.now();
      await bare.once(command);
      times[name].push(performance.now() - startedMs);
    }
  };
  const onEvent = (event: FluffyEvent): void => {
    if (event.type === 'tool.finished' && event.tool === 'fs.write') {
      if (!event.ok) ended.reject(new Error(`fs.write failed: ${event.summary}`));
      const first = writes % 2 === 0;
      times[first ? '`fs.write`, standby waiting' : '`fs.write`, no standby yet'].push(event.duration_ms);
      writes += 1;
      if (!first) pause = bareRound().catch((error: unknown) => void problems.push(error));
    }
    if (event.type === 'session.finished') ended.resolve();
  };

  try {
    const opened = await openProject(project.root, false, home.env);
    const kernel = await connectKernel(opened, {
      env: home.env,
      allowRoot: false,
      onProgress: () => undefined,
      onEvent,
    });
    try {
      const session_id = await kernel.client.start(options());
      await kernel.client.request('session.message', { session_id, text: 'Write' });
      await Promise.race([ended.promise, kernel.givenUp.then((error) => Promise.reject(error))]);
      await pause;
    } finally {
      kernel.close();
    }
  } finally {
    await home.remove([project.root]);
    project.remove();
  }
  if (problems.length > 0) throw problems[0];
  if (writes !== 2 * ROUNDS) throw new Error(`${writes} writes where ${2 * ROUNDS} were due, in ${root}`);
  return times;
}

const BARE = [
  ['bare container, `true`', ['/bin/true']],
  ['bare container, `node -e 0`', ['/usr/local/bin/node', '-e', '0']],
] as const;

function options(): SessionOptions {
  return {
    mode: 'explore',
    model: 'replay/bench',
    approve: 'never',
    limits: {},
    cwd: '',
    test_command: null,
    author: { name: 'Benchmark', email: 'benchmark@example.invalid' },
    replay: turns(),
    interactive: false,
  };
}

function turns(): ReplayTurn[] {
  const write = (index: number) => ({
    tool: 'fs.write',
    input: { path: 'src/parse-config.js', content: `export const value = ${index};\n`.repeat(40) },
  });
  const rounds = Array.from({ length: ROUNDS }, (_, index): ReplayTurn[] => [
    { calls: [write(2 * index)], delay_ms: PAUSE_MS },
    { calls: [write(2 * index + 1)] },
  ]);
  return [
    { calls: [{ tool: 'plan.complete', input: { summary: 'Write', steps: ['write'] } }] },
    ...rounds.flat(),
    { calls: [{ tool: 'task.give_up', input: { reason: 'enough was written' } }] },
  ];
}
