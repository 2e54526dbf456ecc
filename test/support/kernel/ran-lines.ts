import { CountedLines } from '../../../src/kernel/runners/executed-lines.ts';
import type { ExecutedLines } from '../../../src/kernel/runners/executed-lines.ts';

/** Lines that ran, by the path of their source. */
export type Lines = Readonly<Record<string, readonly number[]>>;

/** What a report says of the sources that the process of one test file loaded, by their lines that ran. */
export function ranLines(testFile: string, lines: Lines): ExecutedLines | null {
  const counted = new CountedLines({ projectRoot: '/p', cover: Object.keys(lines) });
  counted.add(testFile, lcovOf('/p', lines));
  return counted.found().executed ?? null;
}

export function lcovOf(root: string, lines: Lines): string {
  return Object.entries(lines)
    .map(([path, each]) => `SF:${root}/${path}\n${each.map((line) => `DA:${line},1\n`).join('')}end_of_record\n`)
    .join('');
}
