import { beforeAll, describe, expect, it } from 'vitest';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { addUserMessage, queueUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { anthropicClient } from '../../../src/providers/anthropic/anthropic-client.ts';
import { openAiClient } from '../../../src/providers/openai/openai-client.ts';
import { nodeTestReport } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';
import { wireModel } from '../../support/kernel/wire-model.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import type { CountedInput, PromptCache } from '../../support/wire/prompt-cache.ts';
import { anthropicCache, openAiCache } from '../../support/wire/prompt-cache.ts';
import { startResponsesServer } from '../../support/wire/responses-server.ts';
import { turn } from '../../support/wire/script.ts';
import type { Script, ScriptedCall, ScriptedReply, ScriptedRequest } from '../../support/wire/script.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';

const CALLS = 100;
const FILES = 30;
/** Of the request before: OpenAI counts in steps of 128, and closing brackets are not shared. */
const MAX_UNREAD_TOKENS = 200;

const files = {
  'package.json': '{}',
  'AGENTS.md': 'Two spaces. No semicolons.',
  ...Object.fromEntries(
    Array.from({ length: FILES }, (_, index) => [
      `src/file${index}.js`,
      `export const value${index} = ${index}\n`.repeat(10 + index),
    ]),
  ),
};

/** A model that talks, thinks, calls several tools at once, and calls some that are not open: through planning, red and green. */
function wordyModel(index: number): ScriptedReply {
  const words = { text: `Step ${index}. `.repeat(10), thinking: `I think about step ${index}.` };
  const read = (file: number): ScriptedCall => ({ tool: 'fs.read', input: { path: `src/file${file % FILES}.js` } });
  if (index === CALLS - 1) return turn({ text: 'Done.' });
  if (index === 10)
    return turn({ ...words, calls: [{ tool: 'plan.complete', input: { summary: 'A cache', steps: [] } }] });
  if (index === 20)
    return turn({ ...words, calls: [{ tool: 'fs.write', input: { path: 'test/lru.test.js', content: 'x' } }] });
  if (index === 21) return turn({ ...words, calls: [{ tool: 'test.run', input: {} }] });
  if (index === 30)
    return turn({ ...words, calls: [{ tool: 'plan.complete', input: { summary: 'Again', steps: [] } }] });
  // More blocks in one turn than the service looks back over.
  if (index % 17 === 0) return turn({ ...words, calls: Array.from({ length: 14 }, (_, file) => read(index + file)) });
  return turn({ ...words, calls: index % 5 === 0 ? [read(index), read(index + 1), read(index + 2)] : [read(index)] });
}

interface Vendor {
  readonly model: string;
  readonly wire: 'messages' | 'responses';
  readonly start: (script: Script) => Promise<WireServer>;
  readonly client: typeof anthropicClient;
  readonly cache: () => PromptCache;
  readonly path: string;
}

const VENDORS: Readonly<Record<string, Vendor>> = {
  Anthropic: {
    model: 'anthropic/claude-test',
    wire: 'messages',
    start: startAnthropicServer,
    client: anthropicClient,
    cache: anthropicCache,
    path: '',
  },
  OpenAI: {
    model: 'openai/gpt-test',
    wire: 'responses',
    start: startResponsesServer,
    client: openAiClient,
    cache: openAiCache,
    path: '/v1',
  },
};

async function playSession(vendor: Vendor) {
  const counted: CountedInput[] = [];
  const cache = vendor.cache();
  const kernel = testKernel({
    state: 'planning',
    files,
    testCommand: { runner: 'node-test', cwd: '', args: [] },
    kernelOptions: { provider_hosts: { anthropic: ['models.example:443'], openai: ['models.example:443'] } },
    options: { model: vendor.model, limits: { max_turns: CALLS + 20 }, window_tokens: 1_000_000 },
  });
  const server = await vendor.start((request) => {
    const input = cache(request.body);
    counted.push(input);
    if (request.index === 50) queueUserMessage(kernel.session, { text: 'Mind the edge cases.' });
    return { ...wordyModel(request.index), usage: { ...input, output: 50 }, chunkLength: 4_000 } as ScriptedReply;
  });
  kernel.sandboxes.runTests = (run) => nodeTestReport(run, { evicts: false });
  kernel.sandboxes.chat = wireModel(vendor.client, { wire: vendor.wire, base_url: `${server.url}${vendor.path}` });
  addUserMessage(kernel.session, { text: 'Add an LRU cache.' });
  try {
    await runSession(kernel.services, kernel.session, new AbortController().signal);
  } finally {
    await server.close();
  }
  return { kernel, counted, requests: server.requests };
}

/** A body up to the end of its last message, without markers, which are no part of what is cached. */
function conversationText({ bytes }: ScriptedRequest): string {
  const plain = bytes.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
  const from = plain.search(/"(messages|input)":\[/);
  const to = plain.search(/\],"(system|instructions)":/);
  return plain.slice(from, to);
}

function beginningText({ body }: ScriptedRequest): string {
  return JSON.stringify([body['tools'], body['system'], body['instructions'], body['prompt_cache_key']]);
}

describe.each(Object.entries(VENDORS))('a session of 100 calls over the wire of %s', (_name, vendor) => {
  let played: Awaited<ReturnType<typeof playSession>>;
  beforeAll(async () => {
    played = await playSession(vendor);
  }, 60_000);

  it('sends requests that begin with the bytes of the one before, and reads nine tenths of them from the cache', () => {
    const { kernel, counted, requests } = played;
    expect(requests.length).toBeGreaterThanOrEqual(CALLS);
    expect(new Set(kernel.eventsOf('state.changed').map(({ to }) => to))).toContain('code_writing');
    expect(new Set(requests.map(beginningText)).size).toBe(1);
    const texts = requests.map(conversationText);
    const broken = texts.findIndex((text, index) => index > 0 && !text.startsWith(texts[index - 1] ?? ''));
    expect(broken).toBe(-1);

    const sum = (each: (input: CountedInput) => number): number => counted.reduce((total, one) => total + each(one), 0);
    const all = sum(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite);
    expect(sum(({ cacheRead }) => cacheRead) / all).toBeGreaterThanOrEqual(0.9);
    const totals = counted.map(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite);
    const missed = counted.findIndex(
      ({ cacheRead }, index) => cacheRead < (totals[index - 1] ?? 0) - MAX_UNREAD_TOKENS,
    );
    expect(missed).toBe(-1);
    expect(kernel.session.snapshot.usage).toMatchObject({
      input_tokens: sum(({ input, cacheWrite }) => input + cacheWrite),
      cache_read_tokens: sum(({ cacheRead }) => cacheRead),
      cache_write_tokens: sum(({ cacheWrite }) => cacheWrite),
    });
  });

  it('tells state, open tools and limits at the end of the conversation, when they change', () => {
    const { requests } = played;
    const notes = (requests.at(-1)?.bytes.match(/Mode: strict\. State: \w+/g) ?? []).map((note) =>
      note.split(' ').at(-1),
    );
    expect([...new Set(notes)]).toEqual(['planning', 'test_writing', 'code_writing']);
    expect(notes.length).toBeLessThan(8);
    expect(requests[11]?.state).toBe('test_writing');
    expect(requests[22]?.state).toBe('code_writing');
    expect(requests.at(-1)?.bytes).toContain('The run ends at: 120 messages of yours (80 per cent are used).');
    expect(requests[31]?.results[0]?.content).toContain('plan.complete is not open in state code_writing');
  });
});
