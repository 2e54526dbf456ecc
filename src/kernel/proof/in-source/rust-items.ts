import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, textOf } from '../syntax/walk.ts';
import type { TopLevelItem } from './top-level-item.ts';

/** Attributes of what is compiled for tests alone. `cfg(any(test, …))` is not among them: it is compiled for others too. */
const OF_TESTS =
  /^#\s*\[\s*(?:cfg\s*\(\s*(?:test|all\s*\(\s*test\s*,[^)]*\))\s*\)|(?:\w+\s*::\s*)*(?:test|rstest|test_case)(?:\s*\([\s\S]*\))?)\s*\]$/;
/** The whole file is a module of tests. */
const OF_TEST_FILES = /^#\s*!\s*\[\s*cfg\s*\(\s*test\s*\)\s*\]$/;

export function isRustTestAttribute(text: string): boolean {
  return OF_TESTS.test(text.trim());
}

/** Declarations at the top of a file. A test is one by an attribute, and takes what else is written above it with it. */
export function rustItems(root: SyntaxNode, text: string): TopLevelItem[] {
  const isTestFile = root.children.some(
    (node) => node.kind === 'inner_attribute_item' && OF_TEST_FILES.test(textOf(node, text).trim()),
  );
  if (isTestFile) return [{ role: 'test', start: root.start, end: root.end }];
  const items: TopLevelItem[] = [];
  let above: SyntaxNode[] = [];
  for (const node of root.children) {
    if (node.kind === 'attribute_item' || isDocumentation(node, text)) above.push(node);
    else if (isComment(node)) items.push({ role: 'comment', start: node.start, end: node.end });
    else {
      items.push({ ...roleOf(node, above, text), start: above[0]?.start ?? node.start, end: node.end });
      above = [];
    }
  }
  return [...items, ...above.map(({ start, end }) => ({ role: 'source' as const, start, end }))];
}

function roleOf(node: SyntaxNode, above: readonly SyntaxNode[], text: string): Pick<TopLevelItem, 'role' | 'module'> {
  if (above.some((each) => isRustTestAttribute(textOf(each, text)))) return { role: 'test' };
  const module = above.length === 0 ? declaredModule(node, text) : null;
  return module === null ? { role: 'source' } : { role: 'module', module };
}

function isComment({ kind }: SyntaxNode): boolean {
  return kind.endsWith('comment');
}

/** Of the item below it: nothing is compiled that ends with such a comment. */
function isDocumentation(node: SyntaxNode, text: string): boolean {
  return isComment(node) && /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/.test(textOf(node, text));
}

/** `mod parse;`: its body is in another file. */
function declaredModule(node: SyntaxNode, text: string): string | null {
  const name = node.kind === 'mod_item' && childOf(node, 'body') === null ? childOf(node, 'name') : null;
  return name === null ? null : textOf(name, text);
}
