import { createHash } from 'node:crypto';

/** One message of the model with the results of its calls. */
export interface Turn {
  /** Each call with its arguments. */
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /** Progress of the work: the state, the plan, and the staged changes. */
  readonly standing: string;
}

export type Warning =
  /** For the model, once: it repeats itself, and what is missing. */
  | { readonly kind: 'model'; readonly what: string }
  /** For the user, once. */
  | { readonly kind: 'user'; readonly what: string }
  | { readonly kind: 'end'; readonly what: string };

/** Consecutive messages with equal calls and equal results. */
const REPEATS = 3;
/** The pattern A, B, A, B. */
const ALTERNATIONS = 2;
/** The same failure again without a change in between. */
const FAILURES = 3;
/**
 * Consecutive messages that change nothing, and again before each further warning, because reading a lot can be right.
 */
const WITHOUT_PROGRESS = 40;
/** Messages after a warning about a repetition before the next warning. */
const PATIENCE = 4;

/**
 * Notices a model that repeats itself. A combination of state, plan and staged work that did not occur before is
 * progress, and all counts start again.
 */
export class ProgressWatch {
  readonly #standings = new Set<string>();
  #turns: { readonly whole: string; readonly failures: readonly string[] }[] = [];
  #warnings = 0;
  #sinceWarning = 0;

  /**
   * The warning after a turn; null if there is none. If the repetition goes on, first the model is warned, then the
   * user; then the run ends.
   */
  after(turn: Turn): Warning | null {
    if (!this.#standings.has(turn.standing)) {
      this.#standings.add(turn.standing);
      this.#turns = [];
      this.#warnings = 0;
      this.#sinceWarning = 0;
    }
    const failures = turn.results.flatMap((result, index) =>
      result.startsWith('failed ') ? [digest(`${turn.calls[index] ?? ''}\n${result}`)] : [],
    );
    this.#turns.push({ whole: digest(JSON.stringify([turn.calls, turn.results])), failures });
    this.#sinceWarning += 1;
    if (this.#warnings > 0 && this.#sinceWarning < PATIENCE) return null;
    const what = this.#circle();
    if (what === null) return null;
    const kind = (['model', 'user', 'end'] as const)[Math.min(this.#warnings, 2)] ?? 'end';
    this.#warnings += 1;
    this.#sinceWarning = 0;
    return { kind, what };
  }

  /** Called after a message of the user: what the model did before no longer counts. */
  reset(): void {
    this.#standings.clear();
    this.#turns = [];
    this.#warnings = 0;
    this.#sinceWarning = 0;
  }

  #circle(): string | null {
    const turns = this.#turns.map(({ whole }) => whole);
    const last = turns.at(-1);
    if (turns.length >= REPEATS && turns.slice(-REPEATS).every((each) => each === last)) {
      return `The last ${REPEATS} messages made the same calls with the same results`;
    }
    const period = turns.slice(-2 * ALTERNATIONS);
    if (period.length === 2 * ALTERNATIONS && period.every((each, index) => each === period[index % 2])) {
      return `The last ${2 * ALTERNATIONS} messages alternate between the same two calls`;
    }
    const failing = this.#turns.at(-1)?.failures.find((failure) => this.#timesFailed(failure) >= FAILURES);
    if (failing !== undefined)
      return `The same call failed in the same way ${FAILURES} times, and nothing changed in between`;
    const reading = this.#warnings === 0 ? turns.length : this.#sinceWarning;
    return reading >= WITHOUT_PROGRESS ? `The last ${turns.length} messages changed nothing` : null;
  }

  #timesFailed(failure: string): number {
    return this.#turns.filter(({ failures }) => failures.includes(failure)).length;
  }
}

function digest(text: string): string {
  // The duration of a run differs every time.
  const same = text.replaceAll(/\b\d+(?:\.\d+)?\s?(?:ms|s)\b/g, '');
  return createHash('sha256').update(same).digest('base64');
}
