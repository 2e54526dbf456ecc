import { createHash } from 'node:crypto';

/** One message of the model with what became of its calls. */
export interface Turn {
  /** Each call with its arguments. */
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /** How far the work is: the state, the plan, and what is staged. */
  readonly standing: string;
}

export type Warning =
  /** For the model, once: it is in a circle, and what is missing. */
  | { readonly kind: 'model'; readonly what: string }
  /** For the user, once. */
  | { readonly kind: 'user'; readonly what: string }
  | { readonly kind: 'end'; readonly what: string };

/** Messages in a row that say and get the same. */
const REPEATS = 3;
/** A, B, A, B. */
const ALTERNATIONS = 2;
/** The same failure without a change in between. */
const FAILURES = 3;
/** Messages in a row that change nothing, whatever they read; as many again before each further warning, since reading a lot can be right. */
const WITHOUT_PROGRESS = 40;
/** Messages that follow a warning of a circle before the next one. */
const PATIENCE = 4;

/** Notices a model that goes in circles. State, plan and staged work as they have not been before are progress, and everything starts again. */
export class ProgressWatch {
  readonly #standings = new Set<string>();
  #turns: { readonly whole: string; readonly failures: readonly string[] }[] = [];
  #warnings = 0;
  #sinceWarning = 0;

  /** null: nothing to say. Of a circle that goes on the model is informed first, then the user; then it ends. */
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

  /** The user has said something: what the model did before is no circle any more. */
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
  // How long a run took differs every time.
  const same = text.replaceAll(/\b\d+(?:\.\d+)?\s?(?:ms|s)\b/g, '');
  return createHash('sha256').update(same).digest('base64');
}
