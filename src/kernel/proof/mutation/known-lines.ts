import { filesRunning, linesOf, unitedLines } from '../../runners/executed-lines.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import type { ChosenMutant } from './chosen-mutants.ts';

/** Lines of the broken sources that ran at green; null: nothing was counted. */
export interface Executed {
  readonly bySuite: ExecutedLines | null;
  /** By the new tests alone. */
  readonly byNew: ExecutedLines | null;
}

/** Test files for one mutant: the others only where nothing of the first notices it. */
export interface NoticingFiles {
  readonly first: readonly string[];
  readonly others: readonly string[];
}

/** What is known of the lines that tests run. Processes that a test starts are not counted, so a test is left out only where others run the line. */
export class KnownLines {
  readonly #bySuite: ExecutedLines | null;
  readonly #byNew: ExecutedLines | null;
  readonly #countable: ReadonlyMap<string, ReadonlySet<number>>;

  /** `countable`: lines of each source of which it is said whether they ran. */
  constructor({ bySuite, byNew }: Executed, countable: ReadonlyMap<string, ReadonlySet<number>>) {
    this.#bySuite = unitedLines([bySuite, byNew]);
    this.#byNew = byNew;
    this.#countable = countable;
  }

  /** Of all test files, those that can notice this mutant. New ones that may run the line in another process stay. */
  filesFor({ path, mutant: { line } }: ChosenMutant, all: NoticingFiles): NoticingFiles {
    if (this.#bySuite === null || this.#ran(this.#bySuite, path, line) === null) return all;
    const running = filesRunning(this.#bySuite, path, line);
    const first = all.first.filter((file) => running.has(file));
    if (running.size === 0 && all.first.length === 0) return all;
    return {
      first: first.length === 0 ? all.first : first,
      others: all.others.filter((file) => running.has(file)),
    };
  }

  /** What is said of a survivor in a line that was not executed; '' where it was, or where that is unknown. */
  unexecuted({ path, mutant: { line } }: ChosenMutant): string {
    if (this.#bySuite !== null && this.#ran(this.#bySuite, path, line) === false) return ', which no test executes';
    return this.#byNew !== null && this.#ran(this.#byNew, path, line) === false ? ', which no new test executes' : '';
  }

  /** Whether the line ran; null: unknown. */
  #ran(executed: ExecutedLines, path: string, line: number): boolean | null {
    const ran = this.#countable.get(path)?.has(line) === true ? linesOf(executed, path) : null;
    return ran === null ? null : ran.has(line);
  }
}
