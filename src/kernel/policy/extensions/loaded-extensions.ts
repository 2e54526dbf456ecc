import { EVALUATION_LIMIT_MS, LOAD_LIMIT_MS } from '../../../contracts/policy-extension.ts';
import type { EvaluateAnswer, ExtensionRequest } from '../../../contracts/policy-extension.ts';
import type { ExtensionResult, PolicyRequest } from '../../../contracts/policy.ts';
import type { Clock } from '../../../contracts/ports/clock.ts';
import type { PolicySandbox, PolicySandboxes } from '../../../contracts/ports/policy-sandboxes.ts';
import type { ExtensionSettings } from '../compiled-policy.ts';
import { HEALTHY_AFTER_MS, backOffMs } from './back-off.ts';
import { messageOf } from '../../../lib/text/message-of.ts';

export interface RunnerOptions {
  readonly sandboxes: PolicySandboxes;
  readonly clock: Clock;
  /** Called on each failure, for people: `what` names the extension that caused it, if known. */
  readonly onFailure: (what: string, nextTryMs: number) => void;
}

type State =
  /** Starting for the first time: requests wait. */
  | { readonly kind: 'starting'; readonly settled: Promise<void> }
  | { readonly kind: 'ready'; readonly sandbox: PolicySandbox; readonly sinceMs: number }
  /** Failed; waits for a restart or is restarting. Requests fail immediately. */
  | { readonly kind: 'down'; readonly why: string };

/** Sent at start, so that the first real call does not pay for compilation. */
const WARM_UP: ExtensionRequest = { syscall: 'policy.warm_up', state: 'idle', mode: 'strict', tags: [] };
const WARM_UPS = 3;

/**
 * The extensions of one policy, kept loaded in one sandbox. Any failure of one of them ends that sandbox: the extension may be in an endless loop.
 * Until the next sandbox is ready, every request is answered as failed, which counts as deny.
 */
export class LoadedExtensions {
  readonly key: string;
  readonly #options: RunnerOptions;
  readonly #extensions: readonly ExtensionSettings[];
  readonly #over = new AbortController();
  #state: State;
  #failures = 0;
  #retired = false;
  /** One request at a time: the time limit of a request must not include the previous one. */
  #turn: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions, extensions: readonly ExtensionSettings[]) {
    this.key = keyOf(extensions);
    this.#options = options;
    this.#extensions = extensions;
    this.#state = { kind: 'starting', settled: this.#start() };
  }

  /** Resolves when the first attempt to load them has succeeded or failed. Never rejects. */
  async settled(): Promise<void> {
    if (this.#state.kind === 'starting') await this.#state.settled;
  }

  /** The answers of these extensions. Never rejects, and keeps the time limit once its turn has come. */
  async ask(names: readonly string[], request: PolicyRequest): Promise<readonly ExtensionResult[]> {
    await this.settled();
    const turn = this.#turn.then(() => this.#askNow(names, request));
    this.#turn = turn;
    return turn;
  }

  /** Their policy was replaced: requests that still use it are answered, but failed extensions are not restarted. */
  retire(): void {
    this.#retired = true;
    if (this.#state.kind === 'down') this.#over.abort(new Error('they are not made again'));
  }

  /** Ends the sandbox; after that every request is answered as failed. Never rejects. */
  async close(): Promise<void> {
    this.#over.abort(new Error('the extensions are no longer wanted'));
    if (this.#state.kind === 'ready') this.#discard(this.#state.sandbox, undefined);
    this.#state = { kind: 'down', why: 'they have been taken out of use' };
    await this.#closing;
  }

  async #askNow(names: readonly string[], request: PolicyRequest): Promise<readonly ExtensionResult[]> {
    const state = this.#state;
    if (state.kind !== 'ready') return failed(names, state.kind === 'down' ? state.why : 'it is not loaded');
    const question = toQuestion(request);
    const asked = await attempt(() => state.sandbox.evaluate(question, names, EVALUATION_LIMIT_MS));
    if (asked.kind === 'failed') {
      this.#broke(state.sandbox, asked.why);
      return failed(names, asked.why);
    }
    const results = toResults(names, asked.value);
    const fault = faultOf(results);
    if (fault !== null) this.#broke(state.sandbox, fault);
    return results;
  }

  /** Creates a sandbox and loads the extensions into it; retries until it works or they are no longer needed. */
  async #start(): Promise<void> {
    const { signal } = this.#over;
    const made = await attempt(() => this.#load(signal));
    if (signal.aborted) {
      if (made.kind === 'done') this.#discard(made.value, undefined);
      return;
    }
    if (made.kind === 'failed') return this.#goDown(made.why);
    const sandbox = made.value;
    this.#state = { kind: 'ready', sandbox, sinceMs: this.#options.clock.monotonicMs() };
    void sandbox.ended.then((why) => this.#broke(sandbox, why));
  }

  async #load(signal: AbortSignal): Promise<PolicySandbox> {
    const sandbox = await this.#options.sandboxes.policy(signal);
    try {
      const extensions = this.#extensions.map(({ name, source }) => ({ name, source: source ?? '' }));
      const loaded = await sandbox.load({ extensions }, LOAD_LIMIT_MS);
      const names = extensions.map(({ name }) => name);
      if (loaded.extensions.map(({ name }) => name).join('\n') !== names.join('\n'))
        throw new Error('it loaded something else');
      const refused = loaded.extensions.find(({ failure }) => failure !== null);
      if (refused !== undefined) throw new Error(`"${refused.name}" cannot be loaded: ${refused.failure ?? ''}`);
      for (let time = 0; time < WARM_UPS; time += 1) {
        const answer = await sandbox.evaluate(WARM_UP, names, LOAD_LIMIT_MS);
        const fault = faultOf(toResults(names, answer));
        if (fault !== null) throw new Error(fault);
      }
      return sandbox;
    } catch (error) {
      this.#discard(sandbox, messageOf(error));
      throw error;
    }
  }

  #broke(sandbox: PolicySandbox, why: string): void {
    const state = this.#state;
    if (state.kind !== 'ready' || state.sandbox !== sandbox) return;
    if (this.#options.clock.monotonicMs() - state.sinceMs >= HEALTHY_AFTER_MS) this.#failures = 0;
    this.#discard(sandbox, why);
    this.#goDown(why);
  }

  #goDown(why: string): void {
    this.#failures += 1;
    const waitMs = backOffMs(this.#failures);
    const next = this.#retired ? 'they have been replaced' : 'extensions are being restarted after a failure';
    this.#state = { kind: 'down', why: `${next} (${why})` };
    if (this.#retired) return;
    this.#options.onFailure(why, waitMs);
    this.#options.clock.sleep(waitMs, this.#over.signal).then(
      () => this.#start(),
      () => undefined,
    );
  }

  #discard(sandbox: PolicySandbox, failure: string | undefined): void {
    this.#closing = Promise.all([this.#closing, sandbox.close(failure)]).then(() => undefined);
  }
}

type Attempt<T> = { readonly kind: 'done'; readonly value: T } | { readonly kind: 'failed'; readonly why: string };

async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: 'done', value: await work() };
  } catch (error) {
    return { kind: 'failed', why: messageOf(error) };
  }
}

/** The path in the form that globs match: another spelling of the same name must not bypass an extension. */
function toQuestion({
  syscall,
  path,
  host,
  state,
  mode,
  tags,
  plugin,
  template,
  sizeBytes,
}: PolicyRequest): ExtensionRequest {
  return { syscall, path: path?.normalize('NFC'), host, state, mode, tags: [...tags], plugin, template, sizeBytes };
}

/** Only answers of the requested extensions are used; others in the message are ignored. */
function toResults(names: readonly string[], { answers }: EvaluateAnswer): ExtensionResult[] {
  return names.map((name) => {
    const [own, second] = answers.filter((answer) => answer.name === name);
    if (own === undefined || second !== undefined) return { kind: 'failed', name, failure: 'it gave no answer' };
    if (own.kind === 'failed') return { kind: 'failed', name, failure: own.failure };
    const { decision, reason } = own.answer;
    return { kind: 'answered', name, action: decision, ...(reason === undefined ? {} : { reason }) };
  });
}

function faultOf(results: readonly ExtensionResult[]): string | null {
  const faults = results.flatMap((result) => (result.kind === 'failed' ? [`"${result.name}": ${result.failure}`] : []));
  return faults.length === 0 ? null : faults.join('; ');
}

export function failed(names: readonly string[], failure: string): ExtensionResult[] {
  return names.map((name) => ({ kind: 'failed', name, failure }));
}

/** The digest identifies the text of an extension. */
export function keyOf(extensions: readonly ExtensionSettings[]): string {
  return JSON.stringify(extensions.map(({ name, sha256 }) => [name, sha256]));
}
