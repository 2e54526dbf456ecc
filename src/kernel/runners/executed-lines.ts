import coverage from 'istanbul-lib-coverage';
import type { CoverageMap, FileCoverageData } from 'istanbul-lib-coverage';
import lcov from 'lcov-parse';

/**
 * Lines that ran: by test file, those of each source that its process loaded. What counts them shares its process with the code under test, which can add
 * to them: they may lower a grade, and never raise one.
 */
export type ExecutedLines = ReadonlyMap<string, CoverageMap>;

/** What the report of one run says of the sources that were requested. */
export class CountedLines {
  readonly #found = new Map<string, CoverageMap>();
  readonly #paths: ReadonlyMap<string, string>;

  constructor({ projectRoot, cover = [] }: { readonly projectRoot: string; readonly cover?: readonly string[] }) {
    this.#paths = new Map(cover.map((path) => [`${projectRoot}/${path}`, path]));
  }

  /** `text`: in the format of lcov, with absolute paths. What was not requested is not kept. */
  add(testFile: string, text: string): void {
    lcov.source(text, (_error, records = []) => {
      for (const { file, lines } of records) {
        const path = this.#paths.get(file ?? '');
        if (path === undefined) continue;
        const known = this.#found.get(testFile) ?? coverage.createCoverageMap({});
        this.#found.set(testFile, known);
        known.addFileCoverage(
          fileCoverage(
            path,
            lines.details.flatMap(({ line, hit }) => (hit > 0 ? [line] : [])),
          ),
        );
      }
    });
  }

  /** Nothing where the run counted nothing, or loaded none of the sources. */
  found(): { readonly executed?: ExecutedLines } {
    return this.#found.size === 0 ? {} : { executed: this.#found };
  }
}

/** One statement for each line, so that equal lines are merged into one. */
function fileCoverage(path: string, lines: readonly number[]): FileCoverageData {
  const whole = lines.filter((line) => Number.isSafeInteger(line) && line > 0);
  return {
    path,
    statementMap: Object.fromEntries(
      whole.map((line) => [line, { start: { line, column: 0 }, end: { line, column: 0 } }]),
    ),
    s: Object.fromEntries(whole.map((line) => [line, 1])),
    fnMap: {},
    f: {},
    branchMap: {},
    b: {},
  };
}

/** Pure: the lines of a source that ran, 1-based. null: no process loaded it, or none that is counted. */
export function linesOf(executed: ExecutedLines, path: string): ReadonlySet<number> | null {
  const loaded = [...executed.values()].filter((map) => map.files().includes(path));
  return loaded.length === 0 ? null : new Set(loaded.flatMap((map) => ranIn(map, path)));
}

/** Pure: of each source that a process loaded, the lines that ran, 1-based. */
export function linesBySource(executed: ExecutedLines): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const map of executed.values()) {
    for (const path of map.files()) {
      const lines = found.get(path) ?? new Set<number>();
      found.set(path, lines);
      for (const line of ranIn(map, path)) lines.add(line);
    }
  }
  return found;
}

/** Pure: the test files whose process ran one line of a source. */
export function filesRunning(executed: ExecutedLines, path: string, line: number): ReadonlySet<string> {
  const running = [...executed].filter(([, map]) => map.files().includes(path) && ranIn(map, path).includes(line));
  return new Set(running.map(([file]) => file));
}

function ranIn(map: CoverageMap, path: string): number[] {
  return Object.keys(map.fileCoverageFor(path).getLineCoverage()).map(Number);
}

/** Pure: what several runs counted; null where none did. */
export function unitedLines(all: readonly (ExecutedLines | null)[]): ExecutedLines | null {
  const united = new Map<string, CoverageMap>();
  for (const [file, map] of all.flatMap((each) => [...(each ?? [])])) {
    const both = coverage.createCoverageMap({});
    const known = united.get(file);
    if (known !== undefined) both.merge(known);
    both.merge(map);
    united.set(file, both);
  }
  return united.size === 0 ? null : united;
}
