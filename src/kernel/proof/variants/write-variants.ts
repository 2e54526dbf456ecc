import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { writtenTests } from '../findings/tests/languages/written-tests.ts';
import type { WrittenCase } from '../findings/tests/languages/test-case.ts';
import type { Edit } from '../mutation/mutator.ts';
import { textOf } from '../syntax/walk.ts';
import { repeatedCalls } from './repeated-calls.ts';
import { shortenedCase } from './shortened-case.ts';
import { caseText } from './case-text.ts';
import type { CaseText } from './case-text.ts';
import { wrongExpectations } from './expected-values.ts';
import { snapshotsOfCopy } from './snapshot-copies.ts';
import type { WrongExpectation } from './expected-values.ts';

/** A copy of a case in a test file, under a name of its own. */
export interface Variant {
  /** A text that occurs only in the name of this copy. */
  readonly mark: string;
  /** The name of the original case. */
  readonly name: string;
  readonly line: number;
  /** For copies that have to pass: whether each call is made twice in it. */
  readonly repeatsCalls?: boolean;
}

export interface VariedText {
  readonly text: string;
  readonly variants: readonly Variant[];
}

export interface Varied {
  /**
   * Each case, followed by copies: a shortened one if possible, a complete one, and one that makes each call twice. The
   * complete copies have to pass.
   */
  readonly repeated: VariedText;
  /** The snapshots of the file, with added entries for the copies that have to pass. */
  readonly snapshots: string;
  /** Copies of cases with one wrong expected value each, each after its case. They have to fail. */
  readonly wrong: VariedText;
}

export interface TestText {
  readonly language: SyntaxLanguage;
  /** The text with everything blanked that is not a test, so that offsets are the same as in `whole`. */
  readonly text: string;
  readonly root: SyntaxNode;
  readonly whole: string;
  /** Paths of the sources that are tested. */
  readonly sources: readonly string[];
  /** The text of the snapshot file; '' if there is none. */
  readonly snapshots: string;
}

/** Maximum per case. Each copy takes the time of its case. */
const MAX_WRONG = 4;
const MAX_CASES = 100;
/** A snapshot is stored under the name of its case. */
const NAMED_AFTER_CASE = /(?<!inline)snapshot/i;

/** Pure: writes the two forms of a test file. `isNew` returns whether a case is one of the new cases. */
export function writeVariants(source: TestText, isNew: (written: WrittenCase) => boolean): Varied {
  const { language, text, root, whole, sources } = source;
  const tests = writtenTests(language, { text, root });
  const letter = unusedLetter(text);
  let { snapshots } = source;
  let count = 0;
  const nextMark = (): string => `${letter}${(count += 1)}${letter}`;
  const repeated: Insertion[] = [];
  const wrong: Insertion[] = [];
  for (const written of tests.cases.filter(isNew).slice(0, MAX_CASES)) {
    const place = caseText(written, language, text);
    if (place === null) continue;
    const isNamedAfter = NAMED_AFTER_CASE.test(textOf(written.body, text));
    if (isNamedAfter && snapshotsOfCopy(source.snapshots, place.title ?? '', '') === '') continue;
    const insertion = (edits: readonly Edit[], line: number, repeatsCalls = false): Insertion => {
      const mark = place.separator + nextMark();
      if (isNamedAfter) snapshots += snapshotsOfCopy(source.snapshots, place.title ?? '', mark);
      const variant = { mark, name: written.name, line, ...(repeatsCalls ? { repeatsCalls } : {}) };
      return { at: place.end, text: copyOf(place, edits, mark, text), variant };
    };
    const shortened = shortenedCase(written.body, tests, { language, text });
    if (shortened !== null) repeated.push({ ...insertion([shortened], written.line), variant: null });
    repeated.push(insertion([], written.line));
    const twice = repeatedCalls(written.body, tests, { language, text, sources });
    if (twice.length > 0) repeated.push(insertion(twice, written.line, true));
    // A copy has another name and so no snapshot. It would fail for this reason alone.
    if (isNamedAfter) continue;
    const expectations = wrongExpectations(written.body, tests, { language, text });
    for (const { edits, line } of chosen(expectations)) {
      if (edits.every(({ start, end }) => start >= place.start && end <= place.end)) wrong.push(insertion(edits, line));
    }
  }
  return { repeated: inserted(whole, repeated), snapshots, wrong: inserted(whole, wrong) };
}

interface Insertion {
  readonly at: number;
  readonly text: string;
  /** null if the result of the copy is ignored. */
  readonly variant: Variant | null;
}

/** The first, the last, and others evenly between them. */
function chosen(all: readonly WrongExpectation[]): readonly WrongExpectation[] {
  if (all.length <= MAX_WRONG) return all;
  const step = (all.length - 1) / (MAX_WRONG - 1);
  return Array.from({ length: MAX_WRONG }, (_, index) => all[Math.round(index * step)]).filter(
    (each) => each !== undefined,
  );
}

function copyOf(place: CaseText, edits: readonly Edit[], mark: string, text: string): string {
  const { start, end, indent } = place;
  const all = [...edits, ...renamed(place, mark)].toSorted((a, b) => a.start - b.start);
  let copy = '';
  let at = start;
  for (const each of all) {
    copy += text.slice(at, each.start) + each.replacement;
    at = each.end;
  }
  return `\n\n${indent}${copy}${text.slice(at, end)}\n`;
}

function renamed({ nameEnd, computedFrom }: CaseText, mark: string): readonly Edit[] {
  const at = (start: number, replacement: string): Edit => ({ start, end: start, replacement });
  if (computedFrom === undefined) return [at(nameEnd, mark)];
  return [at(computedFrom, '('), at(nameEnd, `) + '${mark}'`)];
}

function inserted(text: string, insertions: readonly Insertion[]): VariedText {
  let result = '';
  let at = 0;
  for (const each of insertions.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(at, each.at) + each.text;
    at = each.at;
  }
  return { text: result + text.slice(at), variants: insertions.flatMap(({ variant }) => variant ?? []) };
}

/** A letter for marks that does not occur in this position in any name of the file. */
function unusedLetter(text: string): string {
  return [...'xyzqwvukjh'].find((letter) => !new RegExp(`[_ ]${letter}\\d`).test(text)) ?? 'xx';
}
