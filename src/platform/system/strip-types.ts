import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { StripTypes } from '../../contracts/ports/strip-types.ts';
import { messageOf } from '../../lib/text/message-of.ts';

const DEADLINE_MS = 10_000;
const MAX_HEAP_MIB = 256;

/**
 * Node's own stripper, each time in a new thread: a source that breaks it (its stack and memory are its own) affects
 * only that answer.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { stripTypeScriptTypes } = require('node:module');
const strip = (source) => {
  if (stripTypeScriptTypes === undefined) return { kind: 'refused', why: 'this Node cannot take types out of a source' };
  try {
    return { kind: 'ok', code: stripTypeScriptTypes(source, { mode: 'strip' }) };
  } catch (error) {
    return { kind: 'refused', why: String(error && error.message).split('\\n')[0] };
  }
};
parentPort.postMessage(workerData.map(strip));
`;

const answerSchema = z.array(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('ok'), code: z.string() }),
    z.strictObject({ kind: z.literal('refused'), why: z.string() }),
  ]),
);

/** See `StripTypes`. If a thread gives no answer in time, or dies, all its sources are refused. */
export const stripTypes: StripTypes = async (sources) => {
  if (sources.length === 0) return [];
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: [...sources],
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('it took too long')), DEADLINE_MS);
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('it ended without an answer')));
    });
    const parsed = answerSchema.parse(answer);
    if (parsed.length !== sources.length) throw new Error('it answered something else');
    return parsed;
  } catch (error) {
    const why = messageOf(error);
    return sources.map(() => ({ kind: 'refused', why }));
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
};
