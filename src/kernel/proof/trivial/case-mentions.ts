import type { ParseSyntax, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { writtenTests } from '../findings/tests/languages/written-tests.ts';
import { textOf } from '../syntax/walk.ts';
import { splitCaseId } from '../test-case-id.ts';

/**
 * Returns the names in a case. Names outside of all cases, in helpers and hooks, count for every case. null if the text
 * of the case is not found.
 */
export type Mentions = (id: string) => ReadonlySet<string> | null;

const NAMES = /identifier$|^(?:name|constant)$/;
const IMPORTS = /^(?:import|use|namespace|package)_|^import$/;
/** A declaration that only loads a module. */
const LOADS = /=\s*(?:await\s+)?(?:require|import)\([^()]*\)\s*;?$/;

export async function caseMentions(texts: readonly ChangedText[], parse: ParseSyntax): Promise<Mentions> {
  const files = new Map<string, (name: string) => ReadonlySet<string> | null>();
  for (const { path, role, after: text } of texts) {
    const language = role === 'test' ? languageOfFile(path) : null;
    const tree = language === null ? null : await parse(language, text);
    if (language === null || tree?.kind !== 'parsed') continue;
    const { cases } = writtenTests(language, { text, root: tree.root });
    const bodies = new Set(cases.map(({ body }) => body.start));
    const shared = namesIn(tree.root, text, ({ start, kind }) => bodies.has(start) && kind !== 'program');
    const written = cases.map((each) => ({ each, names: namesIn(each.body, text, () => false) }));
    files.set(path, (name) => {
      const own = written.filter(({ each }) => each.isReportedAs(name)).map(({ names }) => names);
      return own.length === 0 ? null : new Set([...own, shared].flatMap((names) => [...names]));
    });
  }
  return (id) => {
    const { file, name } = splitCaseId(id);
    return files.get(file)?.(name) ?? null;
  };
}

function namesIn(root: SyntaxNode, text: string, isLeft: (node: SyntaxNode) => boolean): Set<string> {
  const found = new Set<string>();
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isLeft(node) || IMPORTS.test(node.kind)) continue;
    if (/_declaration$/.test(node.kind) && LOADS.test(textOf(node, text))) continue;
    if (node.children.length === 0 && NAMES.test(node.kind)) found.add(textOf(node, text));
    waiting.push(...node.children);
  }
  return found;
}
