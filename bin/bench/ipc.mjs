/**
 * What it costs a payload to cross between two programs and come back, and a whole file over a file of the same size to reach the tool that makes a
 * patch of them (the patch itself left out): request and answer over a Unix socket, frames and schemas included, once with the text inside the JSON (version 1 of the interface) and once behind it (a tail). Both sides are in one process, so
 * this is the work of both; rounds of the two kinds alternate, so their ratio holds on a busy machine.
 *
 *   node bin/bench/ipc.mjs [--json]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { API_VERSION, TAIL_SINCE_VERSION } from '../../src/contracts/ipc-message.ts';
import { fsWriteInputSchema, patchResultSchema, toolCallSchema } from '../../src/contracts/tool-call.ts';
import { connectPeer, servePeers } from '../../src/ipc/index.ts';

const HELLO = { plugin_name: 'bench', plugin_version: '1' };
const echoSchema = z.strictObject({ path: z.string(), content: z.string() });
const HASH = 'a'.repeat(64);

/** What is asked and answered, as the kernel and its tools say it. */
const SHAPES = {
  echo: {
    params: echoSchema,
    result: echoSchema,
    ask: (content) => ({ path: 'src/bench.ts', content }),
    answer: (params) => params,
  },
  write: {
    params: toolCallSchema,
    result: patchResultSchema,
    ask: (content) => ({
      input: { path: 'src/bench.ts', base: { content, sha256: HASH }, content: `${content}\n` },
      context: { sandbox_id: 'x_benchbench', workspace: null, session_mode: 'strict' },
    }),
    answer: ({ input }) => {
      const { content } = fsWriteInputSchema.parse(input);
      return { patch: content.slice(-80), sha256: HASH };
    },
  },
};

/** Source code, about as long as asked: line ends and quotes are what JSON has to escape. */
export function sourceText(bytes) {
  const line = (index) => `  const value${index} = parse("field-${index}", input); // as the caller gave it\n`;
  let text = '';
  for (let index = 0; text.length < bytes; index += 1) text += line(index);
  return text.slice(0, bytes);
}

/**
 * Round trips of each size, in bytes of one text.
 *
 * @param {{ shape?: 'echo' | 'write', sizes?: readonly number[], rounds?: number }} options
 * @returns {Promise<{ bytes: number, json: { medianMs: number, bestMs: number }, tail: { medianMs: number, bestMs: number }, ratio: number }[]>}
 *   `ratio`: how many times as long the JSON takes, of the medians
 */
export async function measureIpc({ shape = 'echo', sizes = [1024, 64 * 1024, 1024 * 1024], rounds = 60 } = {}) {
  const { params, result, ask, answer } = SHAPES[shape];
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-bench-'));
  const socket = join(directory, 's');
  const listener = await servePeers(socket, {
    mode: 0o600,
    kernelVersion: 'bench',
    onPeer: (peer) => peer.onRequest(shape, params, answer),
  });
  try {
    const open = (apiVersion) => connectPeer(socket, { hello: HELLO, apiVersion });
    const peers = { json: await open(TAIL_SINCE_VERSION - 1), tail: await open(API_VERSION) };
    const results = [];
    for (const bytes of sizes) {
      const asked = ask(sourceText(bytes));
      const times = { json: [], tail: [] };
      for (let round = -5; round < rounds; round += 1) {
        for (const kind of ['json', 'tail']) {
          const startedMs = performance.now();
          const answered = await peers[kind].request(shape, asked, { result });
          const tookMs = performance.now() - startedMs;
          if (answered.content !== asked.content) throw new Error(`${kind}: the payload came back changed`);
          if (round >= 0) times[kind].push(tookMs);
        }
      }
      const [json, tail] = [summary(times.json), summary(times.tail)];
      results.push({ bytes, json, tail, ratio: json.medianMs / tail.medianMs });
    }
    for (const peer of Object.values(peers)) peer.close();
    return results;
  } finally {
    await listener.close();
    await rm(directory, { recursive: true });
  }
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return { medianMs: sorted[Math.floor(sorted.length / 2)], bestMs: sorted[0] };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tables = { echo: await measureIpc(), write: await measureIpc({ shape: 'write' }) };
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(tables)}\n`);
  } else {
    for (const [shape, results] of Object.entries(tables)) {
      process.stdout.write(`${shape.padEnd(8)}   JSON ms (best)    tail ms (best)   JSON/tail\n`);
      for (const { bytes, json, tail, ratio } of results) {
        const cells = [json, tail].map(({ medianMs, bestMs }) =>
          `${medianMs.toFixed(2)} (${bestMs.toFixed(2)})`.padStart(17),
        );
        process.stdout.write(`${String(bytes).padEnd(8)}${cells.join(' ')} ${ratio.toFixed(1).padStart(10)}\n`);
      }
    }
  }
}
