/** What javac says of test files that do not compile, as Maven prints it, and whether that is something which the project lacks. */
import { blockBefore, headAround, namesIn, receiverBefore, statementAt, withBound } from '../names-around.ts';
import type { Binding } from '../names-around.ts';
import { classesIn, isOwnPackage, ownNames, supertypesIn } from './own-names.ts';
import type { Declared, OwnNames } from './own-names.ts';

export interface JavaError {
  readonly file: string;
  readonly line: number;
  /** Tabs count up to the next multiple of eight. */
  readonly column: number;
  readonly message: string;
  /** As Maven prints it, with the lines that belong to it. */
  readonly rendered: string;
}

/** What is known of the project and its tests. */
interface Known {
  readonly declared: Declared;
  /** Types that are missing. */
  readonly lacking: Set<string>;
  readonly classesOfTests: readonly Binding[];
}

/** An error, and what its file says of the project. */
interface Placed {
  readonly error: JavaError;
  readonly names: OwnNames;
  readonly known: Known;
  /** Of the error in the code. */
  readonly offset: number;
}

const ERROR = /^\[ERROR\] (\/[^\n]*\.java):\[(\d+)(?:,(\d+))?\] (.*)$/;
const DETAIL = /^(?:\[ERROR\])?\s{2,}\S/;
const TAB = 8;
/** Of a type of the project: there is something of that name, in another form than the test uses. */
const OTHER_FORM =
  /cannot be applied to given types|no suitable (?:method|constructor)|has private access in|is not public in|does not override abstract method|cannot (?:implement|override)/;
/** A value has another type than the test needs: of a statement that uses the project. */
const MISMATCH =
  /^incompatible types|^incomparable types|^bad operand types|^no suitable method|array required, but|for-each not applicable|does not take parameters|cannot be referenced from a static context|^static import only from/;

/** Types whose import was forgotten: no project has its own under these names. */
const OF_LIBRARIES = new Set(
  `
    List ArrayList LinkedList Map HashMap LinkedHashMap TreeMap EnumMap Set HashSet LinkedHashSet TreeSet Collections
    Collectors Arrays Optional OptionalInt IntStream BiFunction UnaryOperator BigDecimal BigInteger LocalDate LocalDateTime
    LocalTime ZonedDateTime IOException UncheckedIOException AtomicInteger AtomicLong ConcurrentHashMap CompletableFuture
    Test BeforeEach AfterEach BeforeAll AfterAll DisplayName ParameterizedTest ValueSource CsvSource MethodSource TempDir
    Assertions Mockito
  `
    .trim()
    .split(/\s+/),
);

/** Each error once: Maven repeats them when it sums up. */
export function javaErrors(said: string): JavaError[] {
  const blocks: string[][] = [];
  let isOpen = false;
  for (const line of said.split('\n')) {
    if (ERROR.test(line)) blocks.push([line]);
    else if (isOpen && DETAIL.test(line)) blocks.at(-1)?.push(line.replace(/^\[ERROR\]/, ''));
    isOpen = ERROR.test(line) || (isOpen && DETAIL.test(line));
  }
  const rendered = new Set(blocks.map((lines) => lines.join('\n')));
  return [...rendered].map((block) => {
    const [, file = '', line = '', column = '1', message = ''] = ERROR.exec(block.split('\n')[0] ?? '') ?? [];
    return { file, line: Number(line), column: Number(column), message, rendered: block };
  });
}

/**
 * Whether the project lacks what tests use: each error is in a file of the tests, and about a package, a type or a member of the project, or about a value that
 * comes from it. `tests`: all files of the tests.
 */
export function isMissingHere(errors: readonly JavaError[], tests: readonly string[], declared: Declared): boolean {
  if (errors.length === 0 || !errors.every(({ file }) => tests.includes(file))) return false;
  const known = { declared, lacking: new Set<string>(), classesOfTests: classesIn(tests) };
  let left = errors;
  // A missing type explains errors about what is made of it.
  for (;;) {
    const files = new Map(left.map(({ file }) => [file, ownNames(file, declared, known.lacking)]));
    const rest = left.filter((error) => {
      const names = files.get(error.file);
      return names === undefined || !isAbout({ error, names, known, offset: offsetOf(names.code, error) });
    });
    if (rest.length === 0) return true;
    if (rest.length === left.length) return false;
    for (const error of left)
      if (!rest.includes(error)) for (const name of lackingNames(error)) known.lacking.add(name);
    left = rest;
  }
}

function isAbout(placed: Placed): boolean {
  const { error, names, known, offset } = placed;
  const { message, rendered } = error;
  const isOwn = (text: string): boolean => namesIn(text).some((name) => names.types.has(name));
  const usesProject = (text: string): boolean => namesIn(text).some((name) => names.values.has(name));
  const absentPackage = /^package ([\w.]+) does not exist/.exec(message)?.[1];
  if (absentPackage !== undefined)
    return isOwnPackage(absentPackage, known.declared) || isOuterType(absentPackage, names.foreign);
  if (/cannot find symbol/.test(rendered)) return isAbsentSymbol(placed) || usesProject(receiverAt(placed));
  if (OTHER_FORM.test(message) && isOwn(textOf(error))) return true;
  if (/^method does not override/.test(message)) return isOfFake(placed);
  if (/cannot be dereferenced$/.test(message)) return usesProject(receiverAt(placed));
  if (/^an enum switch case label/.test(message)) return usesProject(headAround(names.code, offset));
  if (/^exception .* is never thrown/.test(message))
    return usesProject(statementAt(names.code, offset)) || usesProject(blockBefore(names.code, offset));
  return MISMATCH.test(message) && usesProject(statementAt(names.code, offset));
}

function isAbsentSymbol({ error: { rendered }, names, known }: Placed): boolean {
  const [, kind = '', name = ''] = /symbol: +(\w+) (\w+)/.exec(rendered) ?? [];
  const [, role = '', place = ''] = /location: +(variable \w+ of type|\w+) ([\w.]+)/.exec(rendered) ?? [];
  if (names.foreign.has(name)) return false;
  if (role === 'package') return isOwnPackage(place, known.declared);
  const simple = place.split('.').at(-1) ?? '';
  if (names.types.has(name) || known.declared.types.has(simple)) return true;
  if (kind === 'method' && fakesOf(names, known).has(simple)) return true;
  const isInTests = place === '' || known.classesOfTests.some((each) => each.names.includes(simple));
  if (!isInTests || role.startsWith('variable')) return false;
  if (OF_LIBRARIES.has(name)) return false;
  // A type of the package of the test, since no import names another.
  return kind === 'class' || /^[A-Z]/.test(name) || (kind === 'method' && names.takesAllMembers);
}

/** Of a class, or a class without a name, that the test makes in place of a type of the project. */
function isOfFake({ names, known, offset }: Placed): boolean {
  const head = headAround(names.code, offset).trimEnd();
  const made = /\bnew\s+([\w.\s]+?)\s*(?:<[^{}]*>)?\s*\([^{}]*\)$/.exec(head)?.[1];
  const fakes = fakesOf(names, known);
  return namesIn(made ?? supertypesIn(head)).some((name) => names.types.has(name) || fakes.has(name));
}

/** Classes of the tests that extend or implement a type of the project. */
function fakesOf({ types }: OwnNames, { classesOfTests }: Known): Set<string> {
  const all = withBound(types, classesOfTests);
  return new Set(classesOfTests.flatMap(({ names }) => names).filter((name) => all.has(name)));
}

/** `Order` of `Order.Line`: javac takes a type that is missing for a package. */
function isOuterType(name: string, foreign: ReadonlySet<string>): boolean {
  const [outer = ''] = name.split('.');
  return /^[A-Z]/.test(outer) && !foreign.has(outer);
}

/** Types that are missing. */
function lackingNames({ message, rendered }: JavaError): string[] {
  const absentPackage = /^package ([\w.]+) does not exist/.exec(message)?.[1];
  if (absentPackage !== undefined) return namesIn(absentPackage).filter((name) => /^[A-Z]/.test(name));
  const [, kind = '', name = ''] = /symbol: +(\w+) (\w+)/.exec(rendered) ?? [];
  return kind === 'class' || /^[A-Z]/.test(name) ? [name] : [];
}

/** Without the path of the file. */
function textOf({ message, rendered }: JavaError): string {
  return [message, ...rendered.split('\n').slice(1)].join('\n');
}

/** '' where nothing is asked of a value. */
function receiverAt({ names: { code }, offset }: Placed): string {
  return code[offset] === '.' ? receiverBefore(code, offset) : '';
}

function offsetOf(code: string, { line, column }: JavaError): number {
  const lines = code.split('\n');
  const own = lines[line - 1] ?? '';
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  let at = 0;
  for (let width = 0; at < own.length && width < column - 1; at += 1)
    width = own[at] === '\t' ? (Math.floor(width / TAB) + 1) * TAB : width + 1;
  return before + at;
}
