import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { writtenTests } from '../findings/tests/written-tests.ts';
import type { WrittenCase } from '../findings/tests/test-case.ts';
import type { Edit } from '../mutation/mutator.ts';
import { textOf } from '../syntax/walk.ts';
import { askedTwice } from './asked-twice.ts';
import { begunCase } from './begun-case.ts';
import { caseText } from './case-text.ts';
import type { CaseText } from './case-text.ts';
import { wrongExpectations } from './expected-values.ts';
import { snapshotsOfCopy } from './snapshot-copies.ts';
import type { WrongExpectation } from './expected-values.ts';

/** A copy of a case in a test file, under a name of its own. */
export interface Variant {
  /** What only the name of this copy has in it. */
  readonly mark: string;
  /** The case, as it is written. */
  readonly name: string;
  readonly line: number;
  /** Of copies that have to pass: whether each question is asked twice in it. */
  readonly asksTwice?: boolean;
}

export interface VariedText {
  readonly text: string;
  readonly variants: readonly Variant[];
}

export interface Varied {
  /** Each case twice, where it can be with one that is only begun between them, and once more with each question asked twice: the whole copies have to pass. */
  readonly repeated: VariedText;
  /** The snapshots of the file, with those of the copies that have to pass. */
  readonly snapshots: string;
  /** Copies of cases with one wrong expectation each, all behind the cases: they have to fail. */
  readonly wrong: VariedText;
}

export interface TestText {
  readonly language: SyntaxLanguage;
  /** Without what is no test, in the same places. */
  readonly text: string;
  readonly root: SyntaxNode;
  readonly whole: string;
  /** Paths of the sources that are tested. */
  readonly sources: readonly string[];
  /** What is in the file with its snapshots; '' where it has none. */
  readonly snapshots: string;
}

/** The most telling: a case is as good as its weakest assertion, and each copy costs the time of its case. */
const MAX_WRONG = 4;
const MAX_CASES = 100;
/** What a snapshot is of is in its name. */
const NAMED_AFTER_CASE = /(?<!inline)snapshot/i;

/** Pure: the two variants of a test file. `isNew`: whether a case as it is written is one of the new ones. */
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
    const insertion = (edits: readonly Edit[], line: number, asksTwice = false): Insertion => {
      const mark = place.separator + nextMark();
      if (isNamedAfter) snapshots += snapshotsOfCopy(source.snapshots, place.title ?? '', mark);
      const variant = { mark, name: written.name, line, ...(asksTwice ? { asksTwice } : {}) };
      return { at: place.end, text: copyOf(place, edits, mark, text), variant };
    };
    const begun = begunCase(written.body, tests, { language, text });
    if (begun !== null) repeated.push({ ...insertion([begun], written.line), variant: null });
    repeated.push(insertion([], written.line));
    const twice = askedTwice(written.body, tests, { language, text, sources });
    if (twice.length > 0) repeated.push(insertion(twice, written.line, true));
    // With a name of its own and without its snapshot, a copy fails by itself.
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
  /** null: nobody looks how the copy comes out. */
  readonly variant: Variant | null;
}

/** The first, the last, and what lies evenly between. */
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

/** A letter with which no name of the file can be taken for a mark. */
function unusedLetter(text: string): string {
  return [...'xyzqwvukjh'].find((letter) => !new RegExp(`[_ ]${letter}\\d`).test(text)) ?? 'xx';
}
