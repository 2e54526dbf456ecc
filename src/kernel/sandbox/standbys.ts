import type { SessionId } from '../../contracts/ids.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxSpec } from './sandbox-spec.ts';

export interface StandbyOptions {
  /** Creates a sandbox that is ready. Rejects if that fails. */
  readonly make: (spec: SandboxSpec, signal: AbortSignal) => Promise<Sandbox>;
  /** Waits after a failed attempt before the next one. */
  readonly backOff: (failures: number, signal: AbortSignal) => Promise<void>;
}

interface Place {
  readonly spec: SandboxSpec;
  readonly stop: AbortController;
  /** Being created, or ready; null: to be created. */
  making: Promise<Sandbox> | null;
  failures: number;
}

/**
 * After this many consecutive failures nothing is tried until the next request; the next operation will report the
 * fault.
 */
const MAX_FAILURES = 3;

/**
 * Sandboxes created in advance, one of each requested kind: past their handshake and waiting. Each is used once and
 * then replaced. Only kinds without a workspace are kept ready, so none can be out of date.
 */
export class Standbys {
  readonly #options: StandbyOptions;
  readonly #places = new Map<string, Place>();
  /** Created one at a time, so that they do not slow down work that somebody waits for. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: StandbyOptions) {
    this.#options = options;
  }

  /** Requests exactly these standbys for a session from now on. Its others are closed; those of other sessions stay. */
  want(session: SessionId, specs: readonly SandboxSpec[]): void {
    const wanted = new Map(specs.map((spec) => [keyOf(spec), spec]));
    for (const [key, place] of this.#places) {
      if (place.spec.session === session && !wanted.has(key)) void this.#discard(key, place);
    }
    for (const [key, spec] of wanted) {
      const place = this.#places.get(key) ?? { spec, stop: new AbortController(), making: null, failures: 0 };
      place.failures = 0;
      this.#places.set(key, place);
      this.#fill(key, place);
    }
  }

  /** The standby of this kind, ready or nearly ready; null if there is none, or if it died while it waited. */
  async take(spec: SandboxSpec): Promise<Sandbox | null> {
    const place = this.#places.get(keyOf(spec));
    const making = place?.making ?? null;
    if (place === undefined || making === null) return null;
    place.making = null;
    const sandbox = await making.catch(() => null);
    if (sandbox === null || sandbox.peer.open) return sandbox;
    await sandbox.close();
    return null;
  }

  /** Replaces the standbys that were taken. Called when the operation is done, because creating one slows it down. */
  refill(): void {
    for (const [key, place] of this.#places) this.#fill(key, place);
  }

  /** Closes the standbys of a session, or all, and does not replace them. */
  async close(session?: SessionId): Promise<void> {
    const closing = [...this.#places]
      .filter(([, place]) => session === undefined || place.spec.session === session)
      .map(([key, place]) => this.#discard(key, place));
    await Promise.all(closing);
  }

  #fill(key: string, place: Place): void {
    if (place.making !== null || place.failures >= MAX_FAILURES || this.#places.get(key) !== place) return;
    const making = this.#make(place);
    place.making = making;
    making.then(
      (sandbox) => {
        place.failures = 0;
        // A standby that dies while it waits is replaced, but a kind that always dies is given up.
        void sandbox.ended.then(() => {
          if (place.making !== making) return;
          place.making = null;
          place.failures += 1;
          void sandbox.close();
          this.#fill(key, place);
        });
      },
      () => {
        place.failures += 1;
        if (place.making === making) place.making = null;
        this.#fill(key, place);
      },
    );
  }

  async #make({ spec, stop, failures }: Place): Promise<Sandbox> {
    if (failures > 0) await this.#options.backOff(failures, stop.signal);
    const making = this.#turn.then(() => this.#options.make(spec, stop.signal));
    this.#turn = making.catch(() => undefined);
    return making;
  }

  async #discard(key: string, place: Place): Promise<void> {
    this.#places.delete(key);
    const { making } = place;
    place.making = null;
    place.stop.abort(new Error('it is no longer wanted'));
    const sandbox = await making?.catch(() => null);
    await sandbox?.close();
  }
}

function keyOf(spec: SandboxSpec): string {
  return [spec.session, spec.program, spec.template, spec.provider ?? ''].join(' ');
}
