import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Benchmark, Verdict } from '../benchmark.ts';
import { number } from '../page.ts';
import type { Agent } from '../session-cost/agent.ts';
import { fluffy } from '../session-cost/fluffy.ts';
import { openPeers } from '../session-cost/peers.ts';
import { costOf, play } from '../session-cost/play.ts';
import type { Tokens, Vendor } from '../session-cost/play.ts';
import { longJob } from '../session-cost/transcript.ts';
import { ANTHROPIC, OPENAI } from '../session-cost/vendors.ts';

const WINDOW = 200_000;
/** Where nothing of this session has to be left out. */
const LARGE_WINDOW = 2_000_000;

const VENDORS: readonly Vendor[] = [OPENAI, ANTHROPIC];

interface Played {
  readonly agent: string;
  readonly note: string;
  readonly vendor: Vendor;
  readonly tokens: Tokens;
}

export const sessionCost: Benchmark = {
  name: 'session cost',
  what: 'A session of two hours: 240 answers of a scripted model, which reads 250 files of 2 to 22 KB, searches, writes a test, edits, runs the tests 8 times and commits. Played by the whole programs, each with its own tools, prompts and settings, against one server on the loopback that counts four characters as a token and reads from its cache by the rules that the vendors document: OpenAI what two requests of a session begin with, in steps of 128 tokens; Anthropic up to the markers, 20 blocks back. Every program has a window of 200,000 tokens, and is refused beyond it. Prices are those of the catalogue for gpt-5.5 and claude-sonnet-4-5. "Nothing left out" is fluffy with a window that everything fits into: no result is cleared and nothing summarised. The last column is what the same requests cost if the vendor kept nothing. What a model reads again because it was left out is not counted.',
  dominates:
    'Each request repeats the conversation, nearly all of it from the cache. What is left out makes later requests smaller, and costs once what must be sent again after the first change.',
  async measure({ directory }) {
    const peers = await openPeers();
    const played: Played[] = [];
    for (const each of VENDORS) {
      const round = async (agent: Agent, windowTokens: number): Promise<void> => {
        if (!agent.wires.includes(each.wire)) return;
        const place = mkdtempSync(join(directory, 'session-'));
        const { tokens } = await play(agent, each, longJob(), windowTokens, place);
        played.push({ agent: agent.name, note: agent.note, vendor: each, tokens });
      };
      await round(fluffy(''), WINDOW);
      await round(fluffy('nothing left out'), LARGE_WINDOW);
      for (const peer of peers) await round(peer, WINDOW);
    }
    return { tables: [], counts: [{ head: HEAD, rows: played.map(rowOf) }], verdicts: verdictsOf(played) };
  },
};

const HEAD = [
  'wire, agent',
  'requests',
  'of them summaries',
  'refused as too long',
  'input',
  'written to the cache',
  'read from the cache',
  'share read',
  'output',
  'USD',
  'USD without a cache',
];

function rowOf({ agent, note, vendor: of, tokens }: Played): readonly string[] {
  const { requests, summaries, refused, input, cacheWrite, cacheRead, output } = tokens;
  return [
    `${of.title}, ${agent}${note === '' ? '' : ` (${note})`}`,
    String(requests),
    String(summaries),
    String(refused),
    ...[input, cacheWrite, cacheRead].map((count) => count.toLocaleString('en-US')),
    `${(shareRead(tokens) * 100).toFixed(1)} %`,
    output.toLocaleString('en-US'),
    number(costOf(tokens, of, 'cached')),
    number(costOf(tokens, of, 'uncached')),
  ];
}

function verdictsOf(played: readonly Played[]): readonly Verdict[] {
  return VENDORS.flatMap((of): Verdict[] => {
    const [own, ...others] = played.filter(({ vendor: each }) => each === of);
    if (own === undefined) return [];
    return [
      {
        what: `${of.title}: share of input that fluffy reads from the cache`,
        value: shareRead(own.tokens),
        unit: '',
        aim: { kind: 'at least', value: 0.9 },
      },
      ...others.map(({ agent, note, tokens }): Verdict => ({
        what: `${of.title}: cost of a session in fluffy to that in ${agent} (${note})`,
        value: costOf(own.tokens, of, 'cached') / costOf(tokens, of, 'cached'),
        unit: '',
        aim: null,
      })),
    ];
  });
}

function shareRead({ input, cacheRead, cacheWrite }: Tokens): number {
  return cacheRead / (input + cacheRead + cacheWrite);
}
