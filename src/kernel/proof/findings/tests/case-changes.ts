import { plainText } from '../../syntax/walk.ts';
import type { InspectedFile, Place } from '../finding.ts';
import type { WrittenCase } from './languages/test-case.ts';
import { writtenTests } from './languages/written-tests.ts';

/** Returns a function that tells whether a case of a file is new, or has another body than before. */
export function caseChanges({ language, text, before }: InspectedFile): (written: WrittenCase) => boolean {
  const tests = before === null ? null : writtenTests(language, before);
  const old = new Map(
    tests?.cases.map(({ name, body, modifier }) => [name, `${modifier} ${plainText(body, before?.text ?? '')}`]),
  );
  return ({ name, body, modifier }) => old.get(name) !== `${modifier} ${plainText(body, text)}`;
}

/** The places of a file that register a case which cannot be read, on lines that are new. */
export function newUnread(file: InspectedFile): Place[] {
  const isOld = linesBefore(file);
  return writtenTests(file.language, file).unread.filter(({ line }) => !isOld(line));
}

/**
 * Returns a function that tells whether a line existed before. It must be called once for each place: equal lines count
 * as old only as often as they occurred before.
 */
function linesBefore({ text, before }: InspectedFile): (line: number) => boolean {
  const left = new Map<string, number>();
  for (const line of before?.text.split('\n') ?? []) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  const lines = text.split('\n');
  return (line) => {
    const written = (lines[line - 1] ?? '').trim();
    const count = left.get(written) ?? 0;
    left.set(written, count - 1);
    return count > 0;
  };
}
