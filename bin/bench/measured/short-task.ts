import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Benchmark, Row, Verdict } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import type { Agent } from '../session-cost/agent.ts';
import { fluffy } from '../session-cost/fluffy.ts';
import { openPeers } from '../session-cost/peers.ts';
import { play } from '../session-cost/play.ts';
import { shortJob } from '../session-cost/transcript.ts';
import { OPENAI } from '../session-cost/vendors.ts';
import { summarise } from '../statistics.ts';

const WINDOW = 200_000;

export const shortTask: Benchmark = {
  name: 'short task',
  what: 'The same small task, written test-first: the model reads a file, writes a test, runs it, changes the source, runs the tests and commits. Played by the whole programs without a terminal, from their start to their end, in turns, against one scripted server on the loopback that answers at once. fluffy works in containers and proves the change (red, stand-ins, green, removal, variants, mutants, plain run); codex and pi run the commands as they are, and prove nothing.',
  dominates:
    'The proof: about 24 sandboxes, each a container and a start of Node, on the processors of this machine. A real model thinks for longer than all of it.',
  async measure({ directory }: Bench) {
    const peers = await openPeers();
    const side = (name: string, agent: Agent) => ({
      name,
      once: async () => {
        const place = mkdtempSync(join(directory, 'task-'));
        return (await play(agent, OPENAI, shortJob(), WINDOW, place)).tookMs;
      },
    });
    const timed = await interleave(
      [
        side('fluffy, no kernel yet', fluffy('')),
        side('fluffy, a kernel runs', fluffy('', 'running')),
        ...peers.map((peer) => side(`${peer.name} (${peer.note})`, peer)),
      ],
      { warmUp: 1, atMost: 5, atLeast: 3, budgetMs: 90_000 },
    );
    const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
    return { tables: [{ title: 'one small task', unit: 'ms', rows }], verdicts: verdictsOf(rows) };
  },
};

function verdictsOf([cold, warm, ...peers]: readonly Row[]): Verdict[] {
  if (cold === undefined || warm === undefined) throw new Error('nothing was timed');
  return [cold, warm].flatMap((ours) =>
    peers.map(({ name, summary }): Verdict => ({
      what: `one small task: ${ours.name}, to ${name}`,
      value: ours.summary.p50 / summary.p50,
      unit: '',
      aim: name.startsWith('codex') ? { kind: 'at most', value: 3 } : null,
    })),
  );
}
