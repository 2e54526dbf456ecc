import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import { modelChoiceOf } from '../../../contracts/model/model-choice.ts';
import type { ModelFailure, ModelRequest } from '../../../contracts/model/model.ts';
import { findProvider } from '../../../contracts/model/providers.ts';
import { providerOf } from '../../../contracts/model/model-choice.ts';
import { messageOf } from '../../../lib/text/message-of.ts';
import { LEFT_ALONE_MS, isLeftAlone, leaveAlone, modelInUse, standIn } from '../../session/model-in-use.ts';
import { whyNotAllowed } from './may-ask-model.ts';
import type { FailedModel } from './model-errors.ts';
import type { ReplyFailure } from './reply.ts';
import type { RunContext } from '../run-context.ts';

/** Failures of the provider that may last. A wrong key, request or model is no outage. */
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
/**
 * A server of the user may have to load the model first, and a thinking model may send nothing before it has thought.
 */
const SLOW_SILENCE_MS = 120_000;

/** When to give up a request that another model can answer. */
export function givenUpEarly({ model, reasoning }: Pick<ModelChoice, 'model' | 'reasoning'>): ModelRequest['give_up'] {
  const isQuick = findProvider(providerOf(model))?.endpoint?.reach === 'public' && reasoning !== true;
  return {
    after_attempts: AFTER_ATTEMPTS,
    wait_ms: LONGEST_WAIT_MS,
    silence_ms: isQuick ? SILENCE_MS : SLOW_SILENCE_MS,
  };
}

type Asking = Pick<RunContext, 'services' | 'session' | 'providers' | 'signal'>;

/**
 * At the start of a run: uses the chosen model again, unless it failed a short time ago and its stand-in did not and can
 * still be used.
 */
export async function beginWithChosen(context: Asking): Promise<void> {
  const { services, session } = context;
  const { stand_in: current, options } = session.snapshot;
  if (current === null) return;
  const nowMs = services.clock.nowMs();
  const isOffered = (options.fallback_models ?? []).some(({ model }) => model === current.model);
  const isPreferred =
    isOffered && isLeftAlone(session, options.model, nowMs) && !isLeftAlone(session, current.model, nowMs);
  if (!isPreferred || (await obstacleTo(context, current)) !== null) standIn(session, null);
}

/** The models that one run may use: the chosen one, and those in the user's list of fallbacks. */
export class Fallbacks {
  readonly #context: RunContext;
  readonly #failed: FailedModel[] = [];
  /** Models that policy denies or that cannot be started. */
  readonly #passedOver = new Set<string>();

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** The models that failed in this run, in the order in which they were asked. */
  get failed(): readonly FailedModel[] {
    return this.#failed;
  }

  /**
   * When to give up a request to `choice`: early if another model can answer; undefined: after all attempts of the
   * provider.
   */
  giveUp(choice: ModelChoice): ModelRequest['give_up'] {
    return this.#others().every((other) => other.model === choice.model) ? undefined : givenUpEarly(choice);
  }

  /**
   * Changes to the next model after a provider has failed in spite of its retries. Returns false if no remaining model
   * is allowed by policy and can be started, or if the chosen model failed for a lasting reason. A stand-in that cannot
   * be used does not end the run: the one after it is tried.
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

  /** Models that this run may still ask. Models that failed a short time ago in an earlier run come last. */
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

/** Why a model cannot be used, or null. Throws only if the run is interrupted. */
async function obstacleTo(
  { services, session, providers, signal }: Asking,
  { model }: ModelChoice,
): Promise<string | null> {
  const denied = await whyNotAllowed(services, session, model);
  if (denied !== null) return `policy denies it: ${denied}`;
  try {
    await providers.of(model);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    return `it could not be started: ${messageOf(error)}`;
  }
}
