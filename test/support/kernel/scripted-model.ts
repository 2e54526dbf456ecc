import type { ModelEvent, ModelRequest } from '../../../src/contracts/model/model.ts';
import type { ProviderSandbox, Sandboxes } from '../../../src/contracts/ports/sandboxes.ts';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import type { ScriptedTurn } from '../wire/script.ts';
import { modelAnswer } from './fake-sandboxes.ts';

/** A turn as scripts over the wire have it, events as they are, or an answer that never comes. */
export type ModelReply = ScriptedTurn | readonly ModelEvent[] | { readonly kind: 'silence' };

/** A list is played in order, one entry a request. */
export type ModelScript =
  readonly ModelReply[] | ((request: ModelRequest, index: number) => ModelReply | Promise<ModelReply>);

const OVER: readonly ModelEvent[] = [
  { type: 'failed', code: 'bad_request', message: 'the script is over', retryable: false },
];

/** A model in memory behind the provider port. */
export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  #script: ModelScript = [];
  #begun = 0;

  /** Plays this script from its beginning; requests are counted again. */
  play(script: ModelScript): void {
    this.#script = script;
    this.#begun += this.requests.length;
    this.requests.length = 0;
  }

  readonly provider: Sandboxes['provider'] = () =>
    Promise.resolve<ProviderSandbox>({
      sandbox: `x_provider${this.#begun}` as SandboxId,
      over: false,
      chat: async (request, onEvent, signal) => {
        const index = this.requests.push(request) - 1;
        const script = this.#script;
        const reply = typeof script === 'function' ? await script(request, index) : (script[index] ?? OVER);
        signal.throwIfAborted();
        if ('kind' in reply && reply.kind === 'silence') return silence(signal);
        for (const event of 'kind' in reply ? eventsOf(reply) : reply) onEvent(event);
      },
      close: () => Promise.resolve(),
    });
}

function eventsOf({ text = '', calls = [] }: ScriptedTurn): readonly ModelEvent[] {
  return modelAnswer(
    text,
    calls.map(({ tool, input, rawArguments }) => ({ tool, input: rawArguments ?? input ?? {} })),
  );
}

function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(String(signal.reason))), { once: true });
  });
}
