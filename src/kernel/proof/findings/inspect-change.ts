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
import { assertedLiterals, expectedNumbers } from './tests/answers-of-tests.ts';
import { TEST_INSPECTIONS } from './tests/test-findings.ts';
import { withoutComments } from './without-comments.ts';

export interface ChangedText {
  readonly path: string;
  readonly role: 'test' | 'source';
  /** null for a file that is not in HEAD. */
  readonly before: string | null;
  readonly after: string;
}

export interface HelperText {
  readonly path: string;
  readonly text: string;
}

const MAX_WORDS = 200;
/** Of one kind in one file: more say no more. */
const MAX_PLACES = 5;

/** What is known of the change beside the texts of its files. */
export interface ChangeFacts extends Pick<InspectedChange, 'reported' | 'isTest'> {
  /** Whether a file is a program's or a test's, so that one that cannot be read is a finding; documents and data of tests are neither. */
  isCode(path: string): boolean;
  /** Changed files that are no text: links, binary and large ones. */
  readonly unread: readonly { readonly path: string; readonly why: string }[];
  /** Files of tests that have not changed, which changed ones load; default: none. They are not looked at themselves. */
  readonly helpers?: readonly HelperText[];
  /** Default: nobody looks whether the modules that a source loads are there. */
  readonly files?: ProjectFiles;
}

type Inspected = InspectedFile | { readonly unread: string };

/** Looks at changed tests and sources by their syntax trees. What cannot be looked at is a finding by itself: nothing is known of it. */
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
    reported: facts.reported,
    isTest: facts.isTest,
  };
  const plan = [
    ...of('test').flatMap((file) =>
      [...TEST_INSPECTIONS, ...ALSO_OF_TESTS].map((inspection) => ({ file, inspection })),
    ),
    ...of('source').flatMap((file) => SOURCE_INSPECTIONS.map((inspection) => ({ file, inspection }))),
  ];
  const found = plan.flatMap(({ file, inspection }) => {
    const places = [...inspection.look(file, change)].slice(0, MAX_PLACES);
    return places.map(({ line, words }) => ({
      kind: inspection.kind,
      path: file.path,
      line,
      words: oneLine(words, MAX_WORDS),
    }));
  });
  const unread = [
    ...inspected.flatMap((each, index) =>
      'root' in each ? [] : [{ path: files[index]?.path ?? '', why: each.unread }],
    ),
    ...facts.unread,
  ].filter(({ path }) => facts.isCode(path));
  const absent =
    facts.files === undefined
      ? []
      : [...(await absentModules(change, facts.files)), ...(await absentPackages(change, facts.files))];
  return [...found, ...absent, ...unread.map(({ path, why }) => notExamined(path, why))];
}

/** Those that can be read: nobody knows whether another one asserts. */
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
    // Below an error the tree leaves parts of the text out.
    if (!parsed.complete) return { unread: 'it has syntax errors' };
    // The tests inside of a source are looked at as tests.
    const known = file.role === 'source' ? inSourceTests(language) : null;
    const own = known === null ? text : sourceInPlace({ text, items: known.items(parsed.root, text) });
    const without = own === text ? withoutComments(text, parsed.root) : own;
    return without === text ? { text, root: parsed.root } : read(without);
  };
  const now = await read(file.after);
  if ('unread' in now) return now;
  const before = file.before === null ? null : await read(file.before);
  if (before !== null && 'unread' in before) return { unread: `what it was before: ${before.unread}` };
  return { ...now, path: file.path, language, before, isAdded: additionsOf(now, before) };
}
