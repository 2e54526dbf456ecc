import { setImmediate } from 'node:timers/promises';
import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../contracts/review/proof.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { absentModules } from './absent/absent-modules.ts';
import { absentPackages } from './absent/absent-packages.ts';
import type { ProjectFiles } from './absent/absent-modules.ts';
import { additionsOf } from './added-nodes.ts';
import { asyncFunctions } from './async-functions.ts';
import type { InspectedChange, InspectedFile, SourceText } from './finding.ts';
import { inSourceTests, sourceInPlace } from '../in-source/source-parts.ts';
import { ALSO_OF_TESTS, SOURCE_INSPECTIONS } from './source/source-findings.ts';
import { assertedLiterals, expectedNumbers, expectedTexts } from './tests/answers-of-tests.ts';
import { isPlainDocument } from './source/test-signs/plain-documents.ts';
import { TEST_INSPECTIONS } from './tests/test-findings.ts';
import { withoutComments } from './without-comments.ts';

export interface ChangedText {
  readonly path: string;
  readonly role: 'test' | 'source';
  /** null if the file is not in HEAD. */
  readonly before: string | null;
  readonly after: string;
}

export interface HelperText {
  readonly path: string;
  readonly text: string;
}

const MAX_WORDS = 200;
/** Maximum number of findings of one kind in one file. */
const MAX_PLACES = 5;

/** Facts about the change that are not in the texts of its files. */
export interface ChangeFacts extends Pick<InspectedChange, 'reported' | 'isTest'> {
  /**
   * Whether a file is a program or a test, so that it is a finding if it cannot be read. Documents and test data are
   * not.
   */
  isCode(path: string): boolean;
  /** Changed files that are not text: links, binary files and large files. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
  /** Unchanged test files that changed test files import; default: none. They are not inspected themselves. */
  readonly helpers?: readonly HelperText[];
  /** Files of the project; default: absent modules and packages are not looked for. */
  readonly files?: ProjectFiles;
}

type Inspected = InspectedFile | { readonly unread: string };

/**
 * Inspects changed tests and sources by their syntax trees. A file that cannot be inspected is a finding of its own,
 * because nothing is known about it.
 */
export async function inspectChange(
  files: readonly ChangedText[],
  parse: ParseSyntax,
  facts: ChangeFacts,
): Promise<Finding[]> {
  const inspected = await Promise.all(files.map((file) => inspectedFile(file, parse)));
  const of = (role: ChangedText['role']): InspectedFile[] =>
    inspected.flatMap((file, index) => ('root' in file && files[index]?.role === role ? [file] : []));
  const change: InspectedChange = {
    tests: of('test'),
    helpers: await helperFiles(facts.helpers ?? [], parse),
    sources: of('source'),
    sourcePaths: files.filter(({ role }) => role === 'source').map(({ path }) => path),
    testPaths: files.filter(({ role }) => role === 'test').map(({ path }) => path),
    asyncFunctions: asyncFunctions([...of('source'), ...of('test')]),
    asserted: assertedLiterals(of('test')),
    expected: expectedNumbers(of('test')),
    expectedTexts: expectedTexts(of('test')),
    documents: files
      .filter(({ path, role }) => role === 'source' && languageOfFile(path) === null)
      .map(({ path, after }) => ({ path, text: after })),
    reported: facts.reported,
    isTest: facts.isTest,
  };
  const plan = [
    ...of('test').flatMap((file) =>
      [...TEST_INSPECTIONS, ...ALSO_OF_TESTS].map((inspection) => ({ file, inspection })),
    ),
    ...of('source').flatMap((file) => SOURCE_INSPECTIONS.map((inspection) => ({ file, inspection }))),
  ];
  const found: Finding[] = [];
  for (const { file, inspection } of plan) {
    const { kind } = inspection;
    const places = [...inspection.look(file, change)].slice(0, MAX_PLACES);
    for (const { line, words } of places) found.push({ kind, path: file.path, line, words: oneLine(words, MAX_WORDS) });
    // Large files take seconds, and the kernel answers others meanwhile.
    await setImmediate();
  }
  const plain = new Set(change.documents.filter((each) => isPlainDocument(each, change)).map(({ path }) => path));
  const unread = [
    ...inspected.flatMap((each, index) =>
      'root' in each ? [] : [{ path: files[index]?.path ?? '', why: each.unread }],
    ),
    ...facts.unread,
  ].filter(({ path }) => facts.isCode(path) && !plain.has(path));
  const absent =
    facts.files === undefined
      ? []
      : [...(await absentModules(change, facts.files)), ...(await absentPackages(change, facts.files))];
  return [...found, ...absent, ...unread.map(({ path, why }) => notExamined(path, why))];
}

/** The helpers that can be read. The others are left out: it is unknown whether they assert. */
async function helperFiles(helpers: readonly HelperText[], parse: ParseSyntax): Promise<InspectedFile[]> {
  const read = helpers.map(({ path, text }) => inspectedFile({ path, role: 'test', before: text, after: text }, parse));
  return (await Promise.all(read)).flatMap((each) => ('root' in each ? [each] : []));
}

function notExamined(path: string, why: string): Finding {
  return { kind: 'not-examined', path, line: 1, words: oneLine(`it was not examined: ${why}`, MAX_WORDS) };
}

async function inspectedFile(file: ChangedText, parse: ParseSyntax): Promise<Inspected> {
  const language = languageOfFile(file.path);
  if (language === null) return { unread: 'its language is not known here' };
  const read = async (text: string): Promise<SourceText | { readonly unread: string }> => {
    const parsed = await parse(language, text);
    if (parsed.kind === 'refused') return { unread: parsed.why };
    // After a syntax error, the tree does not contain all of the text.
    if (!parsed.complete) return { unread: 'it has syntax errors' };
    // Tests inside a source are inspected as tests, so they are blanked here.
    const known = file.role === 'source' ? inSourceTests(language) : null;
    const own = known === null ? text : sourceInPlace({ text, items: known.items(parsed.root, text) });
    const without = own === text ? withoutComments(text, parsed.root) : own;
    return without === text ? { text, root: parsed.root } : read(without);
  };
  const now = await read(file.after);
  if ('unread' in now) return now;
  const before = file.before === null ? null : await read(file.before);
  if (before !== null && 'unread' in before) return { unread: `in HEAD, ${before.unread}` };
  return { ...now, path: file.path, language, before, isAdded: additionsOf(now, before) };
}
