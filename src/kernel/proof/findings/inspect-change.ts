import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../contracts/proof.ts';
import { oneLine } from '../../../lib/one-line.ts';
import { languageOfFile } from '../syntax/language-of-file.ts';
import type { InspectedFile, SourceText } from './finding.ts';
import { ALSO_OF_TESTS, SOURCE_INSPECTIONS } from './source/source-findings.ts';
import { TEST_INSPECTIONS } from './tests/test-findings.ts';

export interface ChangedText {
  readonly path: string;
  readonly role: 'test' | 'source';
  /** null for a file that is not in HEAD. */
  readonly before: string | null;
  readonly after: string;
}

const MAX_WORDS = 200;
/** Of one kind in one file: more say no more. */
const MAX_PLACES = 5;

/** Looks at changed tests and sources by their syntax trees. Files without a shipped grammar, or with syntax errors, have no findings. */
export async function inspectChange(files: readonly ChangedText[], parse: ParseSyntax): Promise<Finding[]> {
  const inspected = await Promise.all(files.map((file) => inspectedFile(file, parse)));
  const of = (role: ChangedText['role']): InspectedFile[] =>
    inspected.flatMap((file, index) => (file !== null && files[index]?.role === role ? [file] : []));
  const sources = files.filter(({ role }) => role === 'source').map(({ path }) => path);
  const change = { tests: of('test'), sources };
  const plan = [
    ...of('test').flatMap((file) =>
      [...TEST_INSPECTIONS, ...ALSO_OF_TESTS].map((inspection) => ({ file, inspection })),
    ),
    ...of('source').flatMap((file) => SOURCE_INSPECTIONS.map((inspection) => ({ file, inspection }))),
  ];
  return plan.flatMap(({ file, inspection }) => {
    const places = [...inspection.look(file, change)].slice(0, MAX_PLACES);
    return places.map(({ line, words }) => ({
      kind: inspection.kind,
      path: file.path,
      line,
      words: oneLine(words, MAX_WORDS),
    }));
  });
}

async function inspectedFile(file: ChangedText, parse: ParseSyntax): Promise<InspectedFile | null> {
  const language = languageOfFile(file.path);
  if (language === null) return null;
  const read = async (text: string): Promise<SourceText | null> => {
    const parsed = await parse(language, text);
    return parsed.kind === 'parsed' ? { text, root: parsed.root } : null;
  };
  const now = await read(file.after);
  if (now === null) return null;
  const before = file.before === null ? null : await read(file.before);
  return { ...now, path: file.path, language, before };
}
