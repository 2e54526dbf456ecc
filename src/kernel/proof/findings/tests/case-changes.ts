import { asOftenAs } from '../../as-often-as.ts';
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

/** Returns a function that tells whether a line existed before. It must be called once for each place. */
function linesBefore({ text, before }: InspectedFile): (line: number) => boolean {
  const trimmed = (source: string) => source.split('\n').map((line) => line.trim());
  const wasThere = asOftenAs(before === null ? [] : trimmed(before.text));
  const lines = trimmed(text);
  return (line) => wasThere(lines[line - 1] ?? '');
}
