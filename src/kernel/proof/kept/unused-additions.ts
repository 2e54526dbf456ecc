import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../contracts/review/proof.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { nodesOf, textOf } from '../syntax/walk.ts';
import { sourceText } from '../read-text.ts';
import { deletedCode } from './deleted-code.ts';

/**
 * Returns findings for declarations that a refactoring adds and does not use. No test can test them, because the tests
 * existed before.
 */
export async function unusedAdditions(files: readonly ChangedText[], parse: ParseSyntax): Promise<Finding[]> {
  const added: { readonly path: string; readonly name: string }[] = [];
  const named: { readonly path: string; readonly name: string; readonly line: number }[] = [];
  for (const { path, role, before, after } of files) {
    const now = await sourceText(parse, path, after);
    const then = before === null ? null : await sourceText(parse, path, before);
    if (now === null) continue;
    for (const node of nodesOf(now.root)) {
      if (node.children.length === 0 && /identifier$/.test(node.kind))
        named.push({ path, name: textOf(node, after), line: node.line });
    }
    if (role === 'test') continue;
    const known = new Set(then === null ? [] : deletedCode(then, null).names);
    const names = deletedCode(now, then).names.filter((name) => !known.has(name));
    added.push(...names.map((name) => ({ path, name })));
  }
  return added.flatMap(({ path, name }) => {
    const places = named.filter((each) => each.name === name);
    if (places.length > 1) return [];
    const words = `the refactoring adds ${name}, and nothing in the change uses it`;
    return [{ kind: 'unused-addition', path, line: places[0]?.line ?? 1, words }];
  });
}
