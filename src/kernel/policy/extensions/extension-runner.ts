import type { ExtensionResult, PolicyRequest } from '../../../contracts/policy.ts';
import type { CompiledPolicy, ExtensionSettings } from '../compiled-policy.ts';
import { askedExtensions } from './asked-extensions.ts';
import { LoadedExtensions, failed, keyOf } from './loaded-extensions.ts';
import type { RunnerOptions } from './loaded-extensions.ts';

/** For this time a call that began under the previous policy still finds that policy's extensions. */
export const LINGER_MS = 2 * 60_000;

/**
 * The extensions of the policy in force, and for a short time those of the previous policy: a call is decided to its
 * end by the policy under which it began.
 */
export class ExtensionRunner {
  readonly #options: RunnerOptions;
  readonly #over = new AbortController();
  #current: LoadedExtensions | null = null;
  #former: LoadedExtensions | null = null;
  #closing: Promise<void> = Promise.resolve();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Loads these extensions from now on. The same extensions again change nothing. */
  follow(extensions: readonly ExtensionSettings[]): void {
    const current = this.#current;
    if (keyOf(extensions) === (current?.key ?? keyOf([]))) return;
    this.#end(this.#former);
    this.#former = current;
    if (current !== null) this.#linger(current);
    this.#current = extensions.length === 0 ? null : new LoadedExtensions(this.#options, extensions);
  }

  /** Resolves when the first attempt to load them has succeeded or failed. Never rejects. */
  async settled(): Promise<void> {
    await this.#current?.settled();
  }

  /**
   * The answers of the policy's extensions to this request. Never rejects, and keeps the time limit once its turn has
   * come.
   */
  async ask(policy: CompiledPolicy, request: PolicyRequest): Promise<readonly ExtensionResult[]> {
    const names = askedExtensions(policy, request).map(({ name }) => name);
    const key = keyOf(policy.extensions);
    const asked = [this.#current, this.#former].find((loaded) => loaded?.key === key);
    return asked?.ask(names, request) ?? failed(names, 'the policy has been replaced meanwhile');
  }

  /** Ends the sandboxes. After that every question is answered as failed. Never rejects. */
  async close(): Promise<void> {
    this.#over.abort(new Error('the kernel ends'));
    this.#end(this.#current);
    this.#end(this.#former);
    this.#current = null;
    this.#former = null;
    await this.#closing;
  }

  #linger(former: LoadedExtensions): void {
    former.retire();
    this.#options.clock.sleep(LINGER_MS, this.#over.signal).then(
      () => {
        if (this.#former === former) this.#former = null;
        this.#end(former);
      },
      () => undefined,
    );
  }

  #end(loaded: LoadedExtensions | null): void {
    if (loaded !== null) this.#closing = Promise.all([this.#closing, loaded.close()]).then(() => undefined);
  }
}
