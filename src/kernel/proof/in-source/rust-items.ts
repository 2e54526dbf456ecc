import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, textOf } from '../syntax/walk.ts';
import type { TopLevelItem } from './top-level-item.ts';

/**
 * Attributes of items that are compiled only for tests. `cfg(any(test, …))` is not matched: such an item is also
 * compiled without tests.
 */
const OF_TESTS =
  /^#\s*\[\s*(?:cfg\s*\(\s*(?:test|all\s*\(\s*test\s*,[^)]*\))\s*\)|(?:\w+\s*::\s*)*(?:test|rstest|test_case)(?:\s*\([\s\S]*\))?)\s*\]$/;
/** An attribute by which the whole file is a module of tests. */
const OF_TEST_FILES = /^#\s*!\s*\[\s*cfg\s*\(\s*test\s*\)\s*\]$/;

export function isRustTestAttribute(text: string): boolean {
  return OF_TESTS.test(text.trim());
}

/**
 * Returns the declarations at the top level of a file. An item with a test attribute is a test, together with the
 * attributes and comments above it.
 */
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

/** Whether a comment documents the item below it. Rust does not compile a file that ends with such a comment. */
function isDocumentation(node: SyntaxNode, text: string): boolean {
  return isComment(node) && /^(?:\/\/\/(?!\/)|\/\*\*(?![*/]))/.test(textOf(node, text));
}

/** `mod parse;`: the body of the module is in another file. */
function declaredModule(node: SyntaxNode, text: string): string | null {
  const name = node.kind === 'mod_item' && childOf(node, 'body') === null ? childOf(node, 'name') : null;
  return name === null ? null : textOf(name, text);
}
