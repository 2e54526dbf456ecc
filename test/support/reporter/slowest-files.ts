import type { Reporter } from 'vitest/node';

/** What a file of tests took, its imports included. */
export interface FileTime {
  readonly project: string;
  readonly path: string;
  readonly tests: number;
  readonly ms: number;
}

const SHOWN = 10;

/** The slowest files as a table, or nothing for a run so small that every file is on the screen anyway. */
export function slowestFiles(files: readonly FileTime[], shown = SHOWN): string {
  if (files.length <= shown) return '';
  const slowest = [...files].sort((a, b) => b.ms - a.ms).slice(0, shown);
  const total = files.reduce((sum, { ms }) => sum + ms, 0);
  const rows = slowest.map(
    ({ project, path, tests, ms }) =>
      `${seconds(ms)}  ${project}  ${path} (${tests} ${tests === 1 ? 'test' : 'tests'})`,
  );
  return [`The ${shown} slowest of ${files.length} files, which took ${seconds(total).trim()} in all:`, ...rows].join(
    '\n',
  );
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`.padStart(9);
}

/** Prints the slowest files at the end of a run. */
export class SlowestFiles implements Reporter {
  readonly #print: (text: string) => void;

  constructor(print: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.#print = print;
  }

  onTestRunEnd(modules: Parameters<NonNullable<Reporter['onTestRunEnd']>>[0]): void {
    const files = modules.map((module) => {
      const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } =
        module.diagnostic();
      return {
        project: module.project.name,
        path: module.relativeModuleId,
        tests: [...module.children.allTests()].length,
        ms: duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration,
      };
    });
    const table = slowestFiles(files);
    if (table !== '') this.#print(`\n${table}\n`);
  }
}
