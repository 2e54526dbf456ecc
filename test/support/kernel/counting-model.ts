import type { ModelEvent, ModelRequest } from '../../../src/contracts/model/model.ts';
import type { ProviderSandbox } from '../../../src/contracts/ports/sandboxes.ts';
import { modelAnswer } from './fake-sandboxes.ts';

/** What a model with a window saw of one request. */
export interface CountedRequest {
  readonly tokens: number;
  readonly kind: 'work' | 'summary';
  readonly refused: boolean;
}

export interface CountingModel {
  readonly chat: ProviderSandbox['chat'];
  readonly requests: readonly CountedRequest[];
}

interface CountingModelOptions {
  readonly windowTokens: number;
  /** The vendor's tokenizer. Default: a token for each word of up to six letters, each number of up to three digits, and each other character. */
  readonly count?: (text: string) => number;
  readonly answer: (request: ModelRequest) => readonly ModelEvent[];
  readonly summary?: (request: ModelRequest) => readonly ModelEvent[];
}

/** A model that counts what it is sent as a vendor does, reports it, and refuses what does not fit into its window together with the answer. */
export function countingModel(options: CountingModelOptions): CountingModel {
  const { windowTokens, count = countTokens, answer, summary = () => modelAnswer(WORDY_SUMMARY) } = options;
  const requests: CountedRequest[] = [];
  return {
    requests,
    chat: (request, onEvent, signal) => {
      signal.throwIfAborted();
      const { system, tools, messages, max_output_tokens: output } = request;
      const tokens = count(JSON.stringify([system, tools, messages]));
      const refused = tokens + output > windowTokens;
      const kind = tools.length === 0 ? 'summary' : 'work';
      requests.push({ tokens, kind, refused });
      if (refused) {
        const message = `prompt is too long: ${tokens} tokens > ${windowTokens - output} maximum`;
        onEvent({ type: 'failed', code: 'context_too_long', message, retryable: false });
        return Promise.resolve();
      }
      const events = kind === 'summary' ? summary(request) : answer(request);
      for (const event of events) {
        const usage = { input_tokens: tokens, output_tokens: 400, cache_read_tokens: 0 };
        onEvent(event.type === 'usage' ? { type: 'usage', usage } : event);
      }
      return Promise.resolve();
    },
  };
}

function countTokens(text: string): number {
  return text.match(/[A-Za-z]{1,6}|\d{1,3}| ?[^A-Za-z\d]/g)?.length ?? 0;
}

/** Says nothing of what the kernel has to add by itself. */
const WORDY_SUMMARY = `## Goal\n${'The work goes on as it was discussed. '.repeat(120)}`;
