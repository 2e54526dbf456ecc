import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { request } from '../providers/conformance.ts';
import { collectAnswer } from '../support/collect-answer.ts';
import { useWire, WIRE_NAMES } from '../support/wire/wires.ts';
import { streamedAnswer, streamsOf } from './formats/stream.ts';
import type { RecordedStream } from './formats/stream.ts';
import { filesBeneath, RECORDINGS, WITHOUT_RECORDINGS } from './read-recordings.ts';

type NamedStream = RecordedStream & { readonly name: string };

function recordedStreams(directory: string): readonly NamedStream[] {
  return filesBeneath(directory).flatMap((file) =>
    /\.(?:chunks\.txt|yaml)$/.test(file)
      ? streamsOf(file, readFileSync(file, 'utf8')).map((stream) => ({ ...stream, name: relative(directory, file) }))
      : [],
  );
}

/** How an answer differs from what its stream holds; nothing of it may. */
function faultsOf(stream: NamedStream, answer: ReturnType<typeof collectAnswer>): readonly string[] {
  const { text, tools, failed } = streamedAnswer(stream);
  const [end] = answer.ends;
  if (failed || stream.name.includes('spliced')) return [];
  return [
    ...(end?.type === 'done' && answer.ends.length === 1 ? [] : [`ended with ${JSON.stringify(answer.ends)}`]),
    ...(answer.restarts.length === 0 ? [] : [`asked again: ${answer.restarts[0]?.message ?? ''}`]),
    ...(answer.text === text ? [] : [`${JSON.stringify(answer.text)} is not ${JSON.stringify(text)}`]),
    ...(answer.calls.map(({ tool }) => tool).join() === tools.join() ? [] : [`calls differ from ${tools.join()}`]),
    ...answer.calls.filter((call) => !isJson(call.arguments)).map((call) => `arguments ${call.arguments}`),
    ...((answer.usage?.input_tokens ?? 0) + (answer.usage?.cache_read_tokens ?? 0) > 0 ? [] : ['no tokens']),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(RECORDINGS === null)(`recorded streams (${RECORDINGS ?? WITHOUT_RECORDINGS})`, () => {
  it.each(WIRE_NAMES)(
    '%s: every answer is read to its end as it is',
    async (wire) => {
      const streams = recordedStreams(RECORDINGS ?? '').filter((stream) => stream.wire === wire);
      expect(streams.length, 'streams found').toBeGreaterThan(0);
      const faults: string[] = [];
      let body = '';
      const script = () => ({ kind: 'raw', status: 200, contentType: 'text/event-stream', body }) as const;
      await useWire(wire, script, async ({ chat }) => {
        for (const stream of streams) {
          ({ body } = stream);
          const answer = collectAnswer(await chat({ ...request, max_output_tokens: 30_000, deadline_ms: 30_000 }));
          faults.push(...faultsOf(stream, answer).map((fault) => `${stream.name}: ${fault}`));
        }
      });
      process.stderr.write(`${wire}: ${streams.length} streams\n`);
      expect(faults).toEqual([]);
    },
    600_000,
  );
});
