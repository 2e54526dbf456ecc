import type { SessionId } from '../../../contracts/ids.ts';
import { providerOf } from '../../../contracts/model/model-choice.ts';
import type { ProviderSandbox, Sandboxes } from '../../../contracts/ports/sandboxes.ts';

/** The provider programs of one run. Each starts when one of its models is first asked, and ends with the run. */
export class ProviderPool {
  readonly #sandboxes: Pick<Sandboxes, 'provider'>;
  readonly #session: SessionId;
  readonly #started = new Map<string, Promise<ProviderSandbox>>();

  constructor(sandboxes: Pick<Sandboxes, 'provider'>, session: SessionId) {
    this.#sandboxes = sandboxes;
    this.#session = session;
  }

  /**
   * The program that serves `provider/model`. A program that could not be started, or that has ended, is started again
   * the next time.
   */
  async of(model: string): Promise<ProviderSandbox> {
    const name = providerOf(model);
    const known = this.#started.get(name);
    if (known !== undefined && !(await known).over) return known;
    if (known !== this.#started.get(name)) return this.of(model);
    const starting = this.#sandboxes.provider(this.#session, name);
    this.#started.set(name, starting);
    starting.catch(() => this.#started.delete(name));
    return starting;
  }

  /**
   * Closes in the background, because no caller waits for the removal of a container. A container that cannot be
   * removed now is removed as an orphan at the next start.
   */
  close(): void {
    for (const starting of this.#started.values()) {
      starting.then((provider) => provider.close()).catch(() => undefined);
    }
    this.#started.clear();
  }
}
