import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { API_VERSION, TAIL_SINCE_VERSION } from '../../../src/contracts/ipc-message.ts';
import { connectPeer, servePeers } from '../../../src/ipc/index.ts';
import type { Benchmark, Table } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { summarise } from '../statistics.ts';

const SIZES = [
  ['1 KiB', 1024],
  ['64 KiB', 64 * 1024],
  ['1 MiB', 1024 * 1024],
] as const;

const payloadSchema = z.strictObject({ path: z.string(), content: z.string() });
const HELLO = { plugin_name: 'bench', plugin_version: '1' };

export const ipc: Benchmark = {
  name: 'ipc',
  what: 'A request that carries source code, and an answer that carries it back, over a Unix socket: handshake done, frames, strict JSON and schemas on both sides, which are in one process, so the work of both is counted. Once with the text inside the JSON, once behind it (the tail of a frame), beside the same bytes echoed over a bare socket.',
  dominates:
    'Of 1 MiB as JSON nearly everything is escaping, scanning and parsing it, twice; behind the JSON it is copied and checked to be UTF-8. Of 1 KiB it is the two turns of the event loop, and the schemas.',
  async measure({ directory }) {
    const socket = join(directory, 's');
    const bareSocket = join(directory, 'b');
    const listener = await servePeers(socket, {
      mode: 0o600,
      kernelVersion: 'bench',
      onPeer: (peer) => peer.onRequest('echo', payloadSchema, (params) => params),
    });
    const echo = createServer((connection) => connection.pipe(connection)).listen(bareSocket);
    await once(echo, 'listening');
    const json = await connectPeer(socket, { hello: HELLO, apiVersion: TAIL_SINCE_VERSION - 1 });
    const tail = await connectPeer(socket, { hello: HELLO, apiVersion: API_VERSION });
    const bare = createConnection(bareSocket);
    try {
      const tables: Table[] = [];
      const ratios: number[] = [];
      for (const [size, bytes] of SIZES) {
        const payload = { path: 'src/bench.ts', content: sourceText(bytes) };
        const raw = Buffer.from(payload.content);
        const timed = await interleave(
          [
            { name: 'bare socket', once: () => echoed(bare, raw) },
            {
              name: 'text in the JSON',
              once: async () => void (await json.request('echo', payload, { result: payloadSchema })),
            },
            {
              name: 'text behind the JSON',
              once: async () => void (await tail.request('echo', payload, { result: payloadSchema })),
            },
          ],
          { warmUp: 20, atMost: bytes > 100_000 ? 150 : 2_000, atLeast: 50, budgetMs: 6_000 },
        );
        const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
        tables.push({ title: `${size} there and back`, unit: 'ms', rows });
        const [, inside, behind] = rows;
        if (inside !== undefined && behind !== undefined) ratios.push(behind.summary.p50 / inside.summary.p50);
      }
      return {
        tables,
        verdicts: ratios.map((value, index) => ({
          what: `ipc, ${SIZES[index]?.[0] ?? ''}: text behind the JSON to text in it`,
          value,
          unit: '',
          aim: null,
        })),
      };
    } finally {
      json.close();
      tail.close();
      bare.destroy();
      echo.close();
      await listener.close();
    }
  },
};

/** Source code: line ends and quotes are what JSON has to escape. */
function sourceText(bytes: number): string {
  const line = `  const value = parse("field", input); // as the caller gave it\n`;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

function echoed(connection: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    let missing = bytes.length;
    const take = (chunk: Buffer): void => {
      missing -= chunk.length;
      if (missing > 0) return;
      connection.off('data', take);
      resolve();
    };
    connection.on('data', take);
    connection.write(bytes);
  });
}
