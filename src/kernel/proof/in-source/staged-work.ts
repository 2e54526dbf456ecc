import { posix } from 'node:path';
import type { ChangeSet, FileChange } from '../../../contracts/review/change-set.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { classifyPath } from '../../policy/index.ts';
import type { CompiledPolicy, PathClass } from '../../policy/index.ts';
import type { SessionContext } from '../../services.ts';
import { hashesOf, isChange, isTest } from '../changed-files.ts';
import { textAt } from '../read-text.ts';
import { textEntry } from '../views/text-entry.ts';
import { mixedFile } from './mixed-file.ts';
import type { MixedFile } from './mixed-file.ts';
import { inSourceTests, sameTexts, testsIn } from './source-parts.ts';
import type { SourceParts } from './source-parts.ts';

/** Prefix of a hash that covers only the tests in a source. */
const OF_TESTS = 'tests:';

/** The staged changes of a session, and the changed sources that contain tests. */
export interface StagedWork {
  readonly changes: ChangeSet;
  readonly mixed: ReadonlyMap<string, MixedFile>;
}

type WorkContext = Pick<SessionContext, 'workspace'> & {
  readonly services: Pick<SessionContext['services'], 'policy' | 'parseSyntax' | 'workspaces'>;
};

/** Whether this source may contain tests of the session's runner. */
export function canHoldTests(policy: CompiledPolicy, path: string): boolean {
  return policy.workspace.holdsTests?.(path) === true && classifyPath(policy, path).kind === 'source';
}

export async function stagedWork({ services, workspace }: WorkContext): Promise<StagedWork> {
  const changes = await workspace.changes();
  const candidates = changes.filter((change) => isTextChange(change) && canHoldTests(services.policy(), change.path));
  if (candidates.length === 0) return { changes, mixed: new Map() };
  const project = await services.workspaces.scratch();
  try {
    const sides: { path: string; before: SourceParts; after: SourceParts }[] = [];
    for (const { path } of candidates) {
      const before = await sourceParts(services.parseSyntax, path, await textAt(project.workspace, path));
      const after = await sourceParts(services.parseSyntax, path, await textAt(workspace, path));
      if (before !== null && after !== null) sides.push({ path, before, after });
    }
    const rewritten = sides.filter(({ before, after }) => !sameTexts(testsIn(before), testsIn(after)));
    const written = new Set(rewritten.map(({ path }) => path));
    const mixed = sides.flatMap(({ path, before, after }) => {
      const isLoaded = (module: string): boolean => filesOfModule(path, module).some((file) => written.has(file));
      return mixedFile(path, before, after, isLoaded) ?? [];
    });
    return { changes, mixed: new Map(mixed.map((each) => [each.path, each])) };
  } finally {
    await project.close();
  }
}

/** Returns the parts of a text; null if it has no syntax tree. A missing file has no items. */
export async function sourceParts(parse: ParseSyntax, path: string, text: string | null): Promise<SourceParts | null> {
  if (text === null) return { text: '', items: [] };
  const language = languageOfFile(path);
  const known = inSourceTests(language);
  const tree = language === null || known === null ? null : await parse(language, text);
  return tree?.kind === 'parsed' && known !== null ? { text, items: known.items(tree.root, text) } : null;
}

/** Returns path -> hash of the changed tests: of a whole file, or of the tests in a source. */
export function testHashes({ changes, mixed }: StagedWork, policy: CompiledPolicy): Record<string, string> {
  const inSources = [...mixed.values()].filter(({ testsChanged }) => testsChanged);
  return {
    ...hashesOf(changes, policy, isTest),
    ...Object.fromEntries(inSources.map(({ path, testsHash }) => [path, `${OF_TESTS}${testsHash}`])),
  };
}

/** Returns the hash of the tests in a source, from a value of `testHashes`; null for the hash of a whole file. */
export function hashInSource(hash: string): string | null {
  return hash.startsWith(OF_TESTS) ? hash.slice(OF_TESTS.length) : null;
}

/**
 * Returns path -> hash of the changed files that are not tests. A source in which only the tests changed is left out.
 */
export function sourceHashes(
  { changes, mixed }: StagedWork,
  policy: CompiledPolicy,
  wanted: (kind: PathClass, path: string) => boolean = isChange,
): Record<string, string> {
  return hashesOf(changes, policy, (kind, path) => wanted(kind, path) && mixed.get(path)?.sourceChanged !== false);
}

/** View entries of sources that contain tests, without the new source: the source of HEAD with the staged tests. */
export function entriesWithoutSource({ mixed }: StagedWork): ViewEntry[] {
  return [...mixed.values()].flatMap(({ path, before, withoutSource: text }) =>
    text === (before.text === '' ? null : before.text) ? [] : [entryOf(path, text)],
  );
}

/** View entries of sources that contain tests, without the new tests: the staged source with the tests of HEAD. */
export function entriesWithoutTests({ mixed }: StagedWork): ViewEntry[] {
  return [...mixed.values()].map(({ path, withoutTests }) => entryOf(path, withoutTests));
}

function entryOf(path: string, text: string | null): ViewEntry {
  return text === null ? { path, entry: { kind: 'absent' } } : textEntry(path, text);
}

function isTextChange({ before, after }: FileChange): boolean {
  const isText = ({ kind }: FileChange['before']): boolean => kind === 'file' || kind === 'absent';
  return isText(before) && isText(after);
}

/** The files that may contain the body of `mod name;` in a Rust file. */
function filesOfModule(path: string, module: string): string[] {
  const stem = posix.basename(path, posix.extname(path));
  const own = /^(?:lib|main|mod)$/.test(stem) ? '' : stem;
  const directory = posix.join(posix.dirname(path), own);
  return [`${directory}/${module}.rs`, `${directory}/${module}/mod.rs`].map((each) => posix.normalize(each));
}
