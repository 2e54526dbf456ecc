import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../lib/text/first-last.ts';
import { CALLS, argumentsOf, callsIn, chainOf, identifiersIn, lastName } from '../names.ts';
import type { InspectedFile, Inspection, Place, SourceText } from '../finding.ts';
import { once } from '../../syntax/once.ts';
import { childOf, nodesOf, plainText } from '../../syntax/walk.ts';
import { CASE_INSPECTIONS, lookAtCases } from './case-findings.ts';
import { emptyTable } from './empty-table.ts';
import { looksAtSource } from './looks-at-source.ts';
import { ownAssertions } from './own-assertions.ts';
import { replacesSource } from './replaces-source.ts';
import type { WrittenCase, WrittenTests } from './languages/test-case.ts';
import { caseChanges, newUnread } from './case-changes.ts';
import { lookAtInherited } from './inherited-cases.ts';
import { heirsIn } from './languages/php-bases.ts';
import type { Heir } from './languages/php-bases.ts';
import { INHERITED } from './languages/php-tests.ts';
import { writtenTests } from './languages/written-tests.ts';

/** Inspections of single cases. They look only at cases that are new or whose body has changed. */
const ofCases: readonly Inspection[] = CASE_INSPECTIONS.map((inspection) => ({
  kind: inspection.kind,
  *look(file, change) {
    const tests = writtenTests(file.language, file);
    const cases = tests.cases.filter(caseChanges(file));
    yield* lookAtCases(inspection, { ...tests, cases }, file.text, change);
    yield* lookAtInherited(inspection, file, change);
  },
}));

interface Both {
  readonly now: WrittenTests;
  readonly then: WrittenTests;
  readonly thenText: string;
}

function both(file: InspectedFile): Both | null {
  if (file.before === null) return null;
  const now = writtenTests(file.language, file);
  return { now, then: writtenTests(file.language, file.before), thenText: file.before.text };
}

const caseRemoved: Inspection = {
  kind: 'case-removed',
  *look(file) {
    const sides = both(file);
    if (sides === null) return;
    const names = new Set(sides.now.cases.map(({ name }) => name));
    for (const { name, line } of sides.then.cases) {
      if (!names.has(name)) yield { line, words: `the case ${name} was deleted` };
    }
  },
};

const LOOSE = new Set([
  ...['toBeTruthy', 'toBeDefined', 'ok', 'notEqual', 'notStrictEqual', 'notDeepEqual', 'toMatchObject', 'toContain'],
  ...['toBeGreaterThan', 'toBeInstanceOf', 'match', 'doesNotThrow', 'anything', 'any', 'objectContaining', 'exists'],
  ...['assertTrue', 'assertIsNotNone', 'assertIn', 'assertNotEqual', 'assertIsInstance'],
]);
const STRICT = new Set([
  ...['toBe', 'toEqual', 'toStrictEqual', 'equal', 'strictEqual', 'deepEqual', 'deepStrictEqual', 'eql'],
  ...['assertEqual', 'assertListEqual', 'assertDictEqual', 'assertIs'],
]);

/**
 * Yields cases that have the same name as before but assert less: emptied, loosened, or with another expected value.
 */
function* weakened(file: InspectedFile, wanted: 'emptied' | 'loosened' | 'changed'): Generator<Place> {
  const sides = both(file);
  if (sides === null) return;
  const nowByName = new Map(sides.now.cases.map((each) => [each.name, each]));
  for (const old of sides.then.cases) {
    const current = nowByName.get(old.name);
    if (current === undefined) continue;
    const change = changeOf(sides, old, current, file.text);
    if (change === wanted) yield { line: current.line, words: WORDS[wanted](old.name) };
  }
}

const WORDS = {
  emptied: (name: string) => `the case ${name} asserts less than before`,
  loosened: (name: string) => `the case ${name} has a looser matcher than before`,
  changed: (name: string) => `the case ${name} expects something else than before`,
} as const;

function changeOf(sides: Both, old: WrittenCase, current: WrittenCase, text: string): keyof typeof WORDS | null {
  const before = sides.then.assertions(old.body);
  const after = sides.now.assertions(current.body);
  const kept = new Set(after.map((each) => plainText(each, text)));
  const lost = before.filter((each) => !kept.has(plainText(each, sides.thenText)));
  if (lost.length === 0) return null;
  if (after.length < before.length) return 'emptied';
  const matchers = (nodes: typeof after, source: string, known: ReadonlySet<string>): number =>
    nodes.filter((each) => CALLS.has(each.kind) && known.has(lastName(each, source))).length;
  const isLooser =
    matchers(after, text, STRICT) < matchers(before, sides.thenText, STRICT) &&
    matchers(after, text, LOOSE) > matchers(before, sides.thenText, LOOSE);
  return isLooser ? 'loosened' : 'changed';
}

const caseEmptied: Inspection = { kind: 'case-emptied', look: (file) => weakened(file, 'emptied') };
const matcherLoosened: Inspection = { kind: 'matcher-loosened', look: (file) => weakened(file, 'loosened') };
const expectationChanged: Inspection = { kind: 'expectation-changed', look: (file) => weakened(file, 'changed') };

const ASKS_FOR_FILE =
  /^(?:existsSync|exists|access|accessSync|stat|statSync|isfile|is_file|readFileSync|readTextFileSync|getsize)$/;
const WRITES_FILE =
  /^(?:writeFileSync|writeFile|writeTextFile|writeTextFileSync|appendFileSync|mkdirSync|touch|write_text|write_bytes|mkdir|makedirs|open)$/;

const TEMPORARY = /te?mp/i;

/** A test that checks whether a file exists and then creates it. It fails once and passes in every later run. */
const markerFile: Inspection = {
  kind: 'marker-file',
  *look(file) {
    const { text } = file;
    const seen = new Set<string>();
    for (const call of callsIn(file.root)) {
      const chain = chainOf(call, text);
      const last = lastText(chain);
      const isOfPath = isMethodOfPath(call, last, text);
      const path = pathOf(call, chain, isOfPath, file);
      if (path === null) continue;
      if (ASKS_FOR_FILE.test(last)) seen.add(path);
      else if (
        WRITES_FILE.test(last) &&
        seen.has(path) &&
        file.isAdded(call) &&
        !isReading(call, last, isOfPath, text)
      ) {
        yield { line: call.line, words: `${path} is checked for and then created: the next run finds it` };
      }
    }
  },
};

/**
 * Methods of a Python path, which have no path argument: `path.write_text(…)`, `path.open("w")`,
 * `path.touch(exist_ok=True)`.
 */
function isMethodOfPath(call: SyntaxNode, name: string, text: string): boolean {
  const [first] = argumentsOf(call);
  if (first === undefined || first.kind === 'keyword_argument' || /^write_(?:text|bytes)$/.test(name)) return true;
  return name === 'open' && /^["'][rwaxbt+]+["']$/.test(plainText(first, text));
}

/** `open(path)` and `open(path, "rb")` do not create a file. */
function isReading(call: SyntaxNode, name: string, isOfPath: boolean, text: string): boolean {
  if (name !== 'open') return false;
  const mode = argumentsOf(call).map((each) => plainText(each, text))[isOfPath ? 0 : 1];
  return mode === undefined || /^(?:mode\s*=\s*)?["']r[bt]?["']$|^(?:encoding|newline|errors)\s*=/.test(mode);
}

/** A fixed path: a literal or a variable. Paths of temporary directories are computed and do not count. */
function pathOf(call: SyntaxNode, chain: readonly string[], isOfPath: boolean, source: SourceText): string | null {
  const [first] = argumentsOf(call);
  if (!isOfPath && first?.kind === 'string') return plainText(first, source.text);
  const [owner, ...rest] = chain;
  const ofOwner = isOfPath && rest.length === 1 ? owner : undefined;
  const name = !isOfPath && first?.kind === 'identifier' ? plainText(first, source.text) : ofOwner;
  return name === undefined || isTemporary(name, source) ? null : name;
}

/** Whether a path is temporary, by its own name or the names in its value: `target = tmp_path / "out"`. */
function isTemporary(name: string, { root, text }: SourceText): boolean {
  if (TEMPORARY.test(name)) return true;
  return temporaryIn(root, text).has(name);
}

const temporaryIn = once((root: SyntaxNode, text: string): ReadonlySet<string> => {
  const names = [...nodesOf(root)].flatMap((node) => {
    const declared = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (declared === null || value === null) return [];
    return [...identifiersIn(value, text)].some((each) => TEMPORARY.test(each)) ? [plainText(declared, text)] : [];
  });
  return new Set(names);
});

/**
 * Cases that cannot be examined: the file registers a case whose body cannot be read, or the runner reports a new case
 * that is not found in its file.
 */
const notExamined: Inspection = {
  kind: 'not-examined',
  *look(file, change) {
    const heirs = heirsIn(file, change);
    const inherited = heirs.flatMap(({ cases }) => cases ?? []);
    const cases = [...writtenTests(file.language, file).cases, ...inherited];
    for (const place of newUnread(file)) if (!isRead(place, heirs)) yield place;
    for (const { file: path, name } of change.reported) {
      if (path !== file.path || cases.some((each) => each.isReportedAs(name))) continue;
      yield { line: 1, words: `the case ${name} is not written in this file in a way that can be examined` };
    }
  },
};

/** Whether a place only says that a class inherits cases, and they were read in its base. */
function isRead({ line, words }: Place, heirs: readonly Heir[]): boolean {
  const here = INHERITED.test(words) ? heirs.filter((each) => each.line === line) : [];
  return here.length > 0 && here.every(({ cases }) => cases !== null);
}

/** In the order in which their findings are shown. */
export const TEST_INSPECTIONS: readonly Inspection[] = [
  ...ofCases,
  notExamined,
  caseRemoved,
  caseEmptied,
  matcherLoosened,
  expectationChanged,
  emptyTable,
  markerFile,
  looksAtSource,
  ownAssertions,
  replacesSource,
];
