import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeJobProject } from '../../../test/support/job/job-project.ts';
import { startAnthropicServer } from '../../../test/support/wire/anthropic-server.ts';
import { anthropicCache, openAiCache } from '../../../test/support/wire/prompt-cache.ts';
import { startResponsesServer } from '../../../test/support/wire/responses-server.ts';
import { turn } from '../../../test/support/wire/script.ts';
import type { ScriptedReply, ScriptedRequest, ScriptedTurn } from '../../../test/support/wire/script.ts';
import type { Agent, Service } from './agent.ts';
import type { Job } from './transcript.ts';

/** A vendor: its protocol, how it counts, and USD for a million tokens. */
export interface Vendor {
  readonly title: string;
  readonly wire: Service['wire'];
  readonly model: string;
  readonly price: {
    readonly input: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly output: number;
  };
}

/** Tokens of a session, by kind. */
export interface Tokens {
  readonly requests: number;
  readonly summaries: number;
  /** Requests that had outgrown the window. */
  readonly refused: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

const CHARACTERS_PER_TOKEN = 4;
const MAX_OUTPUT_TOKENS = 16_000;
const SUMMARY = 'The goal, what was decided, which files were read and why, what was tried, what is open. '.repeat(35);

/** A job as an agent played it. */
export interface Played {
  readonly tokens: Tokens;
  readonly tookMs: number;
}

/** One agent plays a job against a service that counts and that refuses what is larger than the window. */
export async function play(
  agent: Agent,
  vendor: Vendor,
  job: Job,
  windowTokens: number,
  directory: string,
): Promise<Played> {
  const project = makeJobProject(job.files);
  const home = join(directory, 'home');
  mkdirSync(home, { recursive: true });
  const service = countingService(agent, vendor, job, windowTokens);
  const start = vendor.wire === 'responses' ? startResponsesServer : startAnthropicServer;
  const server = await start(service.answer);
  try {
    const { wire, model } = vendor;
    const shown = { wire, model, url: server.url, windowTokens, maxOutputTokens: MAX_OUTPUT_TOKENS };
    const { task } = job;
    const tookMs = await agent.run({ project: project.root, home, task, service: shown, finished: service.finished });
    return { tokens: service.tokens(), tookMs };
  } finally {
    await server.close();
    project.remove();
  }
}

function countingService(agent: Agent, { wire }: Vendor, job: Job, windowTokens: number) {
  const cache = wire === 'responses' ? openAiCache() : anthropicCache();
  const answers = answersFor(agent, job);
  const sums = { requests: 0, summaries: 0, refused: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const finished = Promise.withResolvers<void>();
  let next = 0;
  const answer = (request: ScriptedRequest): ScriptedReply => {
    const counted = cache(request.body);
    const { input, cacheRead, cacheWrite } = counted;
    if (input + cacheRead + cacheWrite > windowTokens) {
      sums.refused += 1;
      return TOO_LONG;
    }
    const isSummary = agent.wantsSummary(request);
    const reply = isSummary ? turn({ text: SUMMARY }) : (answers[next++] ?? FAREWELL);
    if (!isSummary && reply === FAREWELL) finished.resolve();
    const output = outputTokens(reply);
    sums.requests += 1;
    if (isSummary) sums.summaries += 1;
    sums.input += input;
    sums.cacheRead += cacheRead;
    sums.cacheWrite += cacheWrite;
    sums.output += output;
    return { ...reply, usage: { ...counted, output }, chunkLength: 2_000 };
  };
  const tokens = (): Tokens => {
    if (next < answers.length) throw new Error(`${agent.name} ended after ${next} of ${answers.length} answers`);
    return sums;
  };
  return { answer, tokens, finished: finished.promise };
}

function answersFor(agent: Agent, job: Job): readonly ScriptedTurn[] {
  return job.answers.flatMap(({ words, steps }): ScriptedTurn[] => {
    const calls = steps.map((step) => agent.callFor(step)).filter((call) => call !== null);
    return calls.length === 0 ? [] : [turn({ text: words, calls })];
  });
}

function outputTokens({ text, calls }: ScriptedTurn): number {
  return Math.ceil(`${text ?? ''}${JSON.stringify(calls ?? [])}`.length / CHARACTERS_PER_TOKEN);
}

const FAREWELL = turn({ text: 'Done.' });

const TOO_LONG: ScriptedReply = {
  kind: 'raw',
  status: 400,
  contentType: 'application/json',
  body: JSON.stringify({
    type: 'error',
    error: { type: 'invalid_request_error', code: 'context_length_exceeded', message: 'prompt is too long' },
  }),
};

/** What it costs; `uncached`: if the vendor kept nothing. */
export function costOf(tokens: Tokens, { price }: Vendor, kept: 'cached' | 'uncached'): number {
  const { input, cacheRead, cacheWrite, output } = tokens;
  const paid =
    kept === 'cached'
      ? input * price.input + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite
      : (input + cacheRead + cacheWrite) * price.input;
  return (paid + output * price.output) / 1_000_000;
}
