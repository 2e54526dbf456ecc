import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import { modelChoiceOf } from '../../../contracts/model/model-choice.ts';
import type { ModelFailure, ModelRequest } from '../../../contracts/model/model.ts';
import { findProvider } from '../../../contracts/model/providers.ts';
import { providerOf } from '../../../contracts/model/model-choice.ts';
import { LEFT_ALONE_MS, isLeftAlone, leaveAlone, modelInUse, standIn } from '../../session/model-in-use.ts';
import type { Session } from '../../session/session.ts';
import type { Services } from '../../services.ts';
import { whyNotAllowed } from './may-ask-model.ts';
import type { FailedModel } from './model-errors.ts';
import type { ReplyFailure } from './reply.ts';
import type { RunContext } from '../run-context.ts';

/** What is the provider's trouble and may last. A key, a request or a model that is wrong stays so. */
const OUTAGES: ReadonlySet<ModelFailure> = new Set([
  'overloaded',
  'rate_limited',
  'server_error',
  'connection',
  'timeout',
]);

const AFTER_ATTEMPTS = 2;
const LONGEST_WAIT_MS = 5_000;
const SILENCE_MS = 45_000;
/** A server of the user may load the model first, and a model that thinks may send nothing before it has thought. */
const SLOW_SILENCE_MS = 120_000;

/** When a request is given up that another model can answer instead. */
export function givenUpEarly({ model, reasoning }: Pick<ModelChoice, 'model' | 'reasoning'>): ModelRequest['give_up'] {
  const isQuick = findProvider(providerOf(model))?.endpoint?.reach === 'public' && reasoning !== true;
  return {
    after_attempts: AFTER_ATTEMPTS,
    wait_ms: LONGEST_WAIT_MS,
    silence_ms: isQuick ? SILENCE_MS : SLOW_SILENCE_MS,
  };
}

/** At the start of a run: the chosen model again, unless it failed a short time ago and its stand-in has not. */
export function beginWithChosen({ clock }: Pick<Services, 'clock'>, session: Session): void {
  const { stand_in: current, options } = session.snapshot;
  if (current === null) return;
  const nowMs = clock.nowMs();
  const isOffered = (options.fallback_models ?? []).some(({ model }) => model === current.model);
  const stays = isOffered && isLeftAlone(session, options.model, nowMs) && !isLeftAlone(session, current.model, nowMs);
  if (!stays) standIn(session, null);
}

/** The models that one run may ask: the chosen one, and those of the user's list in its place. */
export class Fallbacks {
  readonly #context: RunContext;
  readonly #failed: FailedModel[] = [];
  /** Those that policy closes, or that cannot be started. */
  readonly #passedOver = new Set<string>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** The models that have failed in this run, the one that was asked first at the start. */
  get failed(): readonly FailedModel[] {
    return this.#failed;
  }

  /** When a request to `choice` is given up: early where another model can answer; undefined: when the provider has made all its attempts. */
  giveUp(choice: ModelChoice): ModelRequest['give_up'] {
    return this.#others().every((other) => other.model === choice.model) ? undefined : givenUpEarly(choice);
  }

  /**
   * After a provider has failed in spite of its retries: the next model answers. False: none is left that policy allows and that can be started, or the
   * chosen model failed for a reason that lasts. What is wrong with a stand-in ends no run: the one after it is asked.
   */
  async next({ code, message }: ReplyFailure): Promise<boolean> {
    const { session, services } = this.#context;
    const { model } = modelInUse(session);
    this.#failed.push({ model, code, message });
    if (!OUTAGES.has(code) && model === session.snapshot.options.model) return false;
    leaveAlone(session, model, services.clock.nowMs());
    for (const candidate of this.#others()) {
      const obstacle = await obstacleTo(this.#context, candidate);
      if (obstacle === null) {
        this.#report(`${candidate.model} answers in place of ${model}`, `${code}: ${message}`);
        standIn(session, candidate.model === session.snapshot.options.model ? null : candidate);
        return true;
      }
      this.#passedOver.add(candidate.model);
      this.#report(`${candidate.model} cannot replace ${model}`, obstacle);
    }
    return false;
  }

  /** What may still be asked in this run; those that failed in an earlier one a short time ago come last. */
  #others(): readonly ModelChoice[] {
    const { session, services } = this.#context;
    const { options } = session.snapshot;
    const nowMs = services.clock.nowMs();
    const left = [modelChoiceOf(options), ...(options.fallback_models ?? [])].filter(
      ({ model }) => !this.#passedOver.has(model) && this.#failed.every((failed) => failed.model !== model),
    );
    const rank = ({ model }: ModelChoice): number => (isLeftAlone(session, model, nowMs) ? 1 : 0);
    return left.toSorted((a, b) => rank(a) - rank(b));
  }

  #report(what: string, why: string): void {
    const { session } = this.#context;
    const chosen = session.snapshot.options.model;
    session.emit({
      type: 'notice',
      level: 'warn',
      what,
      why,
      fix: `Nothing has to be done: a run that begins in ${LEFT_ALONE_MS / 60_000} minutes or later asks ${chosen} again; /model chooses another one`,
      code: 'model_fallback',
    });
  }
}

/** Throws only when the run is interrupted. */
async function obstacleTo(
  { services, session, providers, signal }: RunContext,
  { model }: ModelChoice,
): Promise<string | null> {
  const denied = await whyNotAllowed(services, session, model);
  if (denied !== null) return `policy denies it: ${denied}`;
  try {
    await providers.of(model);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return `it could not be started: ${error instanceof Error ? error.message : String(error)}`;
  }
}
