import { hashOfTests, sameTexts, sourceIn, testsIn, withTestsOf } from './source-parts.ts';
import type { SourceParts } from './source-parts.ts';

/** A changed source that contains tests, now or in HEAD. */
export interface MixedFile {
  readonly path: string;
  readonly testsChanged: boolean;
  readonly sourceChanged: boolean;
  /** SHA-256 of its staged tests. */
  readonly testsHash: string;
  /** The source of HEAD with the staged tests; null if both are empty. */
  readonly withoutSource: string | null;
  /** The staged source with the tests of HEAD; null if both are empty. */
  readonly withoutTests: string | null;
  readonly before: SourceParts;
  readonly after: SourceParts;
}

/**
 * Pure: compares two versions of a file. A missing file has no parts. `isLoaded` returns whether the staged tests of a
 * module must be loaded by the program. null if the file contains no tests.
 */
export function mixedFile(
  path: string,
  before: SourceParts,
  after: SourceParts,
  isLoaded: (module: string) => boolean,
): MixedFile | null {
  if (testsIn(before).length === 0 && testsIn(after).length === 0 && !declaresMore(before, after)) return null;
  const testsChanged = !sameTexts(testsIn(before), testsIn(after));
  const sourceChanged = !sameTexts(sourceIn(before), sourceIn(after)) || lostModules(before, after);
  const without = (text: string): string | null => (text.trim() === '' ? null : text);
  return {
    path,
    testsChanged,
    sourceChanged,
    testsHash: hashOfTests(after),
    withoutSource: sourceChanged ? without(withTestsOf(before, after, isLoaded)) : after.text,
    withoutTests: testsChanged ? without(withTestsOf(after, before, () => false)) : after.text,
    before,
    after,
  };
}

function modulesOf({ items }: SourceParts): string[] {
  return items.flatMap(({ module }) => module ?? []);
}

function declaresMore(before: SourceParts, after: SourceParts): boolean {
  const known = new Set(modulesOf(before));
  return modulesOf(after).some((each) => !known.has(each));
}

function lostModules(before: SourceParts, after: SourceParts): boolean {
  const left = new Set(modulesOf(after));
  return modulesOf(before).some((each) => !left.has(each));
}
