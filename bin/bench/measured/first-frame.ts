import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { stopSupervisor } from '../../../src/cli/supervisor/client/stop-supervisor.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import { makeJobProject } from '../../../test/support/job/job-project.ts';
import type { Bench, Benchmark, Row, Verdict } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { openPeerScreens } from '../session-cost/peers.ts';
import { summarise } from '../statistics.ts';

/** What the prompt line begins with, whatever the kernel does meanwhile; there may be colour codes between its parts. */
const PROMPT = '[strict] [';
/** Everything that a terminal does not show: CSI and OSC sequences. */
const SEQUENCES = /\x1b\[[\d;?<>=]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g;
/** What a program asks of a terminal, and what this one answers: where the cursor is, what it can do, its background. */
const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/\x1b\[6n/, '\x1b[1;1R'],
  [/\x1b\[0?c/, '\x1b[?62;22c'],
  [/\x1b\]11;\?/, '\x1b]11;rgb:0000/0000/0000\x1b\\'],
];
const WITHIN_MS = 60_000;

export const firstFrame: Benchmark = {
  name: 'first frame',
  what: `From the start of \`bin/fluffy\` in a terminal (a pty of 100 columns) to the first frame with the prompt line (\`[strict] [starting] >\`), in a small project: without a kernel, which that start then also has to start, and with a running one; beside it, in turns, codex and pi in the same project to the first frame with their name, and \`node -e 0\`. The terminal answers at once what a program asks of it. "First line" is what fluffy shows before it has loaded the rest of itself; keys are taken from there on.`,
  dominates:
    'Node itself, then reading the code: argument parser, configuration and schemas, React and Ink. The frame does not wait for the kernel, so a cold one costs only the processor that it takes away meanwhile.',
  async measure({ root }: Bench) {
    const project = makeJobProject();
    const home = makeFluffyHome();
    const replay = join(home.env['HOME'] ?? '', 'turns.jsonl');
    writeFileSync(replay, '{"text":"Nothing."}\n');
    const dirs = projectDirs(userDirs(home.env), project.root, projectIdOf(project.root));
    const fluffy = [join(root, 'bin/fluffy'), '--model', `replay/${replay}`];
    const frame = (command: readonly string[], shows: string) => timeToShow(command, shows, project.root, home.env);
    try {
      const peerHome = join(home.env['HOME'] ?? '', 'peers');
      const peers = await openPeerScreens(peerHome, project.root);
      const cold = await interleave(
        [
          {
            name: 'fluffy, no kernel yet',
            once: async () => {
              await stopSupervisor(dirs);
              return frame(fluffy, PROMPT);
            },
          },
        ],
        { warmUp: 1, atMost: 5, atLeast: 3, budgetMs: 20_000 },
      );
      const others = peers.map(({ name, command, env, shows }) => ({
        name,
        once: () => timeToShow(command, shows, project.root, env),
      }));
      const warm = await interleave(
        [
          { name: 'fluffy, a kernel runs', once: () => frame(fluffy, PROMPT) },
          { name: 'fluffy, first line', once: () => frame(fluffy, 'fluffy ') },
          ...others,
          { name: '`node -e 0`', once: () => frame([process.execPath, '-e', 'console.log("drawn")'], 'drawn') },
        ],
        { warmUp: 1, atMost: 20, atLeast: 7, budgetMs: 30_000 },
      );
      const rows = [...cold, ...warm].map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      return { tables: [{ title: 'start to first frame', unit: 'ms', rows }], verdicts: verdictsOf(rows) };
    } finally {
      await home.remove([project.root]);
      project.remove();
    }
  },
};

/** The median of fluffy to that of each other program. */
function verdictsOf([cold, warm, firstLine, ...others]: readonly Row[]): Verdict[] {
  if (cold === undefined || warm === undefined || firstLine === undefined) throw new Error('nothing was timed');
  const ratio = (ours: Row, other: Row): Verdict => ({
    what: `first frame: ${ours.name}, to ${other.name}`,
    value: ours.summary.p50 / other.summary.p50,
    unit: '',
    aim: other.name.startsWith('codex') ? { kind: 'at most', value: 0.2 } : null,
  });
  const [codex] = others;
  return [
    ...[warm, firstLine].flatMap((ours) => others.map((other) => ratio(ours, other))),
    ...(codex === undefined ? [] : [ratio(cold, codex)]),
  ];
}

/** Milliseconds from the program's start until the terminal got `shows`; then sends Ctrl-D and waits for the end. */
async function timeToShow(
  command: readonly string[],
  shows: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const { child, end } = startInTerminal(command, cwd, env);
  try {
    await shown(child, 'begin');
    const startedMs = performance.now();
    await shown(child, shows);
    return performance.now() - startedMs;
  } finally {
    await end();
  }
}

interface InTerminal {
  readonly child: ChildProcessWithoutNullStreams;
  readonly end: () => Promise<void>;
}

/** Starts a program in a pty, which prints `begin` just before. */
export function startInTerminal(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): InTerminal {
  // The terminal gets its size first; the time runs from the line that the shell prints just before it becomes the program.
  const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const script = `stty cols 100 rows 30; echo begin; exec ${quoted}`;
  const child = spawn('script', ['-q', '-f', '-e', '-c', script, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm-256color' },
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async (): Promise<void> => {
    // Ctrl-D on an empty prompt; codex wants Ctrl-C.
    child.stdin.write('\x04\x03\x03');
    const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(late);
  };
  return { child, end };
}

/** Resolves when a terminal has got this text; what came before is not looked at. */
export function shown(child: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const stop = (): void => {
      clearTimeout(late);
      child.stdout.off('data', look);
      child.off('error', fail);
      child.off('close', fail);
    };
    const fail = (why: unknown): void => {
      stop();
      reject(new Error(`"${text}" was not shown (${String(why)}): ${JSON.stringify(seen.slice(-2_000))}`));
    };
    const look = (chunk: Buffer): void => {
      seen += chunk.toString();
      for (const [question, answer] of ANSWERS) if (question.test(chunk.toString())) child.stdin.write(answer);
      if (!seen.replaceAll(SEQUENCES, '').includes(text)) return;
      stop();
      resolve();
    };
    const late = setTimeout(() => fail('too late'), WITHIN_MS);
    child.stdout.on('data', look);
    child.once('error', fail);
    child.once('close', fail);
  });
}
