import type { ParseSyntax, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { inSourceTests } from '../in-source/source-parts.ts';
import { changedLines } from '../mutation/changed-lines.ts';
import { holdsAny } from '../syntax/replaced-bodies.ts';
import type { ParsedText } from '../syntax/replaced-bodies.ts';
import { textEntry } from './text-entry.ts';

export interface RewrittenText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Returns the new text, or null to leave the text unchanged. `isChanged` says whether a node contains changed lines and
 * is not inside a test.
 */
export type Rewrite = (
  source: ParsedText & { readonly path: string },
  isChanged: (node: SyntaxNode) => boolean,
) => string | null;

/** Returns view entries for the sources that `rewrite` changes. Sources without a syntax tree are skipped. */
export async function rewrittenSources(
  sources: readonly RewrittenText[],
  parse: ParseSyntax,
  rewrite: Rewrite,
): Promise<ViewEntry[]> {
  const entries: ViewEntry[] = [];
  for (const { path, before, after: text } of sources) {
    const language = languageOfFile(path);
    const tree = language === null ? null : await parse(language, text);
    if (language === null || tree?.kind !== 'parsed') continue;
    const tests = (inSourceTests(language)?.items(tree.root, text) ?? []).filter(({ role }) => role === 'test');
    const lines = changedLines(before, text);
    const isTest = ({ start, end }: SyntaxNode): boolean =>
      tests.some((test) => test.start <= start && end <= test.end);
    const rewritten = rewrite(
      { path, language, root: tree.root, text },
      (node) => holdsAny(node, lines) && !isTest(node),
    );
    if (rewritten !== null) entries.push(textEntry(path, rewritten));
  }
  return entries;
}
