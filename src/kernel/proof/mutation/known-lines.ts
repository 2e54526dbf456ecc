import { filesRunning, linesOf, unitedLines } from '../../runners/executed-lines.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';

/** Lines of the mutated sources that ran at green; null if lines were not counted. */
export interface Executed {
  readonly bySuite: ExecutedLines | null;
  /** Lines that the new tests ran. */
  readonly byNew: ExecutedLines | null;
}

/** A mutant, or what else is broken in a line of a source. */
interface BrokenPlace {
  readonly path: string;
  readonly mutant: { readonly line: number };
}

/** Test files for one mutant. `others` run only if no test of `first` notices it. */
export interface NoticingFiles {
  readonly first: readonly string[];
  readonly others: readonly string[];
}

/**
 * The lines that each test file is known to execute. Lines that run in child processes of a test are not counted. So a
 * test file is left out only if other test files execute the line.
 */
export class KnownLines {
  readonly #bySuite: ExecutedLines | null;
  readonly #byNew: ExecutedLines | null;
  readonly #countable: ReadonlyMap<string, ReadonlySet<number>>;

  /** `countable`: the lines of each source for which it is counted whether they ran. */
  constructor({ bySuite, byNew }: Executed, countable: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#bySuite = unitedLines([bySuite, byNew]);
    this.#byNew = byNew;
    this.#countable = countable;
  }

  /**
   * Returns the test files that can notice this mutant. New test files are kept if none of them is known to execute the
   * line, because they may run it in another process.
   */
  filesFor({ path, mutant: { line } }: BrokenPlace, all: NoticingFiles): NoticingFiles {
    if (this.#bySuite === null || this.#ran(this.#bySuite, path, line) === null) return all;
    const running = filesRunning(this.#bySuite, path, line);
    const first = all.first.filter((file) => running.has(file));
    if (running.size === 0 && all.first.length === 0) return all;
    return {
      first: first.length === 0 ? all.first : first,
      others: all.others.filter((file) => running.has(file)),
    };
  }

  /** A note for a survivor in a line that was not executed; '' if it was executed, or if that is unknown. */
  unexecuted({ path, mutant: { line } }: BrokenPlace): string {
    if (this.#bySuite !== null && this.#ran(this.#bySuite, path, line) === false) return ', which no test executes';
    return this.#byNew !== null && this.#ran(this.#byNew, path, line) === false ? ', which no new test executes' : '';
  }

  /** Whether the line ran; null if that is unknown. */
  #ran(executed: ExecutedLines, path: string, line: number): boolean | null {
    const ran = this.#countable.get(path)?.has(line) === true ? linesOf(executed, path) : null;
    return ran === null ? null : ran.has(line);
  }
}
