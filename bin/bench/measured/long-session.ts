import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import { PARSE_CONFIG_FILES, makeJobProject } from '../../../test/support/job/job-project.ts';
import { COMMIT, PLAN, RUN_TESTS, WRITE_SOURCE, WRITE_TEST } from '../../../test/support/job/parse-config-turns.ts';
import { startAnthropicServer } from '../../../test/support/wire/anthropic-server.ts';
import { calls, turn } from '../../../test/support/wire/script.ts';
import type { ScriptedRequest, ScriptedTurn } from '../../../test/support/wire/script.ts';
import type { Benchmark } from '../benchmark.ts';
import { number } from '../page.ts';
import { kernelProcess, ownMemoryMiB } from '../process-memory.ts';
import { summarise } from '../statistics.ts';

const TURNS = 1_000;
const READS = 5;
const FILES = 500;
const WINDOW = 128_000;
/** A turn that changes something, now and then: a model that never does is ended. */
const WRITE_EVERY = 20;
/** Turns around the one that is reported, on each side. */
const AROUND = 9;
const REPORTED = [10, 100, TURNS - 10];

export const longSession: Benchmark = {
  name: 'long session',
  what: `A whole run of \`fluffy -p\` with ${TURNS.toLocaleString('en')} answers of a scripted model on the loopback, each with ${READS} reads of ${FILES} files of 2 to 6 KB, a write after each ${WRITE_EVERY}, and a commit at the end; the window has ${WINDOW.toLocaleString('en')} tokens, so that results are cleared over and over. Timed: from the provider's last byte to the first byte of the next request, with five reads in between and no sandbox but the provider's own; ${AROUND * 2} answers around the 10th, the 100th and the last. Memory is what the process holds for itself, once in ten answers.`,
  dominates:
    'Most of it is the request: its conversation is sized, made into JSON, and passed on by the kernel, the provider and the gate, each in a process of its own. So it follows the size of the request, which the window bounds, and not the number of answers.',
  async measure() {
    const { gaps, reads, memory } = await play();
    const around = (answer: number) => gaps.filter((gap) => Math.abs(gap.answer - answer) <= AROUND);
    const rows = REPORTED.map((answer) => ({
      name: `around answer ${answer.toLocaleString('en')}`,
      summary: summarise(around(answer).map(({ ms }) => ms)),
    }));
    const tenth = Math.floor(reads.length / 10);
    const readRows = [
      { name: '`fs.read`, first tenth', summary: summarise(reads.slice(0, tenth)) },
      { name: '`fs.read`, last tenth', summary: summarise(reads.slice(-tenth)) },
    ];
    const last = rows.at(-1)?.summary.p50 ?? NaN;
    const hundredth = rows[1]?.summary.p50 ?? NaN;
    const growth = (of: 'kernel' | 'cli') => growthOf(memory.map((sample) => sample[of]));
    return {
      tables: [
        { title: 'last byte to next request', unit: 'ms', rows },
        { title: 'one read', unit: 'ms', rows: readRows },
      ],
      counts: [{ head: ['MiB of', ...SHOWN.map(({ title }) => title)], rows: [memoryRow('kernel'), memoryRow('cli')] }],
      verdicts: [
        {
          what: 'last byte to next request, answer 990, p50',
          value: last,
          unit: 'ms',
          aim: { kind: 'at most', value: 30 },
        },
        {
          what: 'the same to that at answer 100',
          value: last / hundredth,
          unit: '',
          aim: { kind: 'at most', value: 1.2 },
        },
        {
          what: '`fs.read` at the end of a session of 1,000 answers to one at its start',
          value: (readRows[1]?.summary.p50 ?? NaN) / (readRows[0]?.summary.p50 ?? NaN),
          unit: '',
          aim: { kind: 'at most', value: 1.2 },
        },
        { what: 'growth of the kernel over 900 answers', value: growth('kernel'), unit: 'MiB', aim: FLAT },
        { what: 'growth of the CLI over 900 answers', value: growth('cli'), unit: 'MiB', aim: FLAT },
      ],
    };

    function memoryRow(of: 'kernel' | 'cli'): readonly string[] {
      const at = (share: number) => memory[Math.floor((memory.length - 1) * share)]?.[of] ?? NaN;
      return [of === 'cli' ? 'CLI' : of, ...SHOWN.map(({ share }) => number(at(share)))];
    }
  },
};

const SUMMARY = 'What was done, what was decided, and what is open. '.repeat(40);
const FLAT = { kind: 'at most', value: 50 } as const;
const SHOWN = [0.1, 0.25, 0.5, 0.75, 1].map((share) => ({
  share,
  title: `answer ${(TURNS * share).toLocaleString('en')}`,
}));

interface Sample {
  readonly kernel: number;
  readonly cli: number;
}

/** From the second tenth to the last: medians, so that one collection of garbage more or less does not count. */
function growthOf(samples: readonly number[]): number {
  const tenth = Math.floor(samples.length / 10);
  return summarise(samples.slice(-tenth)).p50 - summarise(samples.slice(tenth, 2 * tenth)).p50;
}

async function play() {
  const project = makeJobProject({ ...PARSE_CONFIG_FILES, ...readFiles() });
  const gaps: { readonly answer: number; readonly ms: number }[] = [];
  const memory: Sample[] = [];
  const reads: number[] = [];
  let answeredMs = NaN;
  let answer = -1;
  let isSummary = false;
  let cli = NaN;
  let kernel = NaN;
  const script = async ({ bytes, tools }: ScriptedRequest): Promise<ScriptedTurn> => {
    isSummary = tools.length === 0;
    if (isSummary) return turn({ text: SUMMARY });
    answer += 1;
    if (answer === 0) kernel = await kernelProcess(project.root);
    if (answer % 10 === 5) memory.push({ kernel: ownMemoryMiB(kernel), cli: ownMemoryMiB(cli) });
    return {
      ...answerAt(answer),
      usage: { input: Math.ceil(bytes.length / 4), output: 60, cacheRead: 0 },
      chunkLength: 2_000,
    };
  };
  const model = await startAnthropicServer(script, {
    onRequest: () => {
      // What follows a summary is not what follows an answer.
      if (isReading(answer) && !isSummary) gaps.push({ answer, ms: performance.now() - answeredMs });
    },
    onAnswered: () => (answeredMs = performance.now()),
  });
  const home = makeFluffyHome(
    { FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-for-a-benchmark' },
    CONFIG,
  );
  const onEvent = (event: FluffyEvent): void => {
    if (event.type === 'tool.finished' && event.tool === 'fs.read') reads.push(event.duration_ms);
  };
  try {
    const args = ['-p', 'Say what is wrong with a configuration', '--model', MODEL, '--output-format', 'stream-json'];
    const started = (pid: number): void => void (cli = pid);
    const ended = await home.run(args, { cwd: project.root, onEvent, onStart: started, timeoutMs: 20 * 60_000 });
    if (ended.code !== 0)
      throw new Error(`the run ended with ${ended.code}: ${JSON.stringify(ended.events.at(-1))} ${ended.stderr}`);
  } finally {
    await home.remove([project.root]);
    await model.close();
    project.remove();
  }
  return { gaps, memory, reads };
}

const MODEL = 'anthropic/claude-long';
const CONFIG = `models:
  ${MODEL}: { window_tokens: ${WINDOW}, max_output_tokens: 8000 }
limits: { turns: ${TURNS + 100}, tokens: 1000000000 }
`;

/** Whether the answer has reads alone, so that no sandbox is in the gap behind it. */
function isReading(answer: number): boolean {
  return answer > 4 && answer < TURNS - 4 && answer % WRITE_EVERY !== 0;
}

function answerAt(answer: number): ScriptedTurn {
  if (answer === 1) return PLAN;
  if (answer === 2) return WRITE_TEST;
  if (answer === 3 || answer === TURNS - 2) return RUN_TESTS;
  if (answer === TURNS - 3) return WRITE_SOURCE;
  if (answer >= TURNS - 1) return COMMIT;
  if (answer > 4 && !isReading(answer) && answer < TURNS - 4) {
    const content = `// Attempt ${answer}\nexport function parseConfig(text) {\n  return JSON.parse(text);\n}\n`;
    return calls({ tool: 'fs.write', input: { path: 'src/parse-config.js', content } });
  }
  const read = (index: number) => ({
    tool: 'fs.read',
    input: { path: `lib/part${(answer * 7 + index * 13) % FILES}.js` },
  });
  return turn({ text: `Step ${answer}.`, calls: Array.from({ length: READS }, (_, index) => read(index)) });
}

function readFiles(): Readonly<Record<string, string>> {
  const line = (index: number, at: number) => `export const value${index}x${at} = compute(${at * index});\n`;
  return Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [
      `lib/part${index}.js`,
      Array.from({ length: 50 + ((index * 37) % 90) }, (_line, at) => line(index, at)).join(''),
    ]),
  );
}
