import { createHash } from 'node:crypto';
import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { rustItems } from './rust-items.ts';
import type { TopLevelItem } from './top-level-item.ts';

/** What a text is to the workflow where a language writes tests into its sources. */
export interface SourceParts {
  readonly text: string;
  readonly items: readonly TopLevelItem[];
}

/** How a language marks the tests in a source. */
interface InSourceTests {
  /** Whether a text can have tests in it, judged without its syntax tree. */
  readonly marks: RegExp;
  /** The mark, as a model has to write it. */
  readonly word: string;
  items(root: SyntaxNode, text: string): TopLevelItem[];
}

const IN_SOURCE_TESTS: Partial<Record<SyntaxLanguage, InSourceTests>> = {
  rust: { marks: /#\s*\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case)\b/, word: '#[cfg(test)]', items: rustItems },
};

/** null for a language whose tests are in files of their own. */
export function inSourceTests(language: SyntaxLanguage | null): InSourceTests | null {
  return language === null ? null : (IN_SOURCE_TESTS[language] ?? null);
}

export function testsIn({ text, items }: SourceParts): string[] {
  return textsOf(text, items, 'test');
}

/** What is compiled without the tests. Comments and declarations of modules decide nothing by themselves. */
export function sourceIn({ text, items }: SourceParts): string[] {
  return textsOf(text, items, 'source');
}

function textsOf(text: string, items: readonly TopLevelItem[], role: TopLevelItem['role']): string[] {
  return items.filter((item) => item.role === role).map(({ start, end }) => text.slice(start, end).trim());
}

export function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/** SHA-256 of the tests of a text, in their order; what is around them does not count. Nor do line ends: a commit can have others than the working tree. */
export function hashOfTests(parts: SourceParts): string {
  return createHash('sha256')
    .update(JSON.stringify(testsIn(parts).map((each) => each.replaceAll('\r\n', '\n'))), 'utf8')
    .digest('hex');
}

/** The source of one version with the tests of another. `isLoaded`: modules that only the other version declares, and which it keeps. */
export function withTestsOf(source: SourceParts, tests: SourceParts, isLoaded: (module: string) => boolean): string {
  const known = new Set(source.items.map(({ module }) => module));
  const modules = tests.items.filter(({ module }) => module !== undefined && !known.has(module) && isLoaded(module));
  const declared = modules.map(({ start, end }) => tests.text.slice(start, end).trim());
  const kept = sourceInPlace(source).trimEnd();
  return [...(kept === '' ? [] : [kept]), ...declared, ...testsIn(tests)].map((each) => `${each}\n`).join('\n');
}

/** The text with its tests alone, each on the lines where it is. */
export function testsInPlace(parts: SourceParts): string {
  return blanked(parts, (role) => role !== 'test');
}

/** The text without its tests; all else stays on its lines. */
export function sourceInPlace(parts: SourceParts): string {
  return blanked(parts, (role) => role === 'test');
}

function blanked({ text, items }: SourceParts, isBlank: (role: TopLevelItem['role']) => boolean): string {
  let result = '';
  let at = 0;
  for (const { role, start, end } of items) {
    if (!isBlank(role)) continue;
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  return result + text.slice(at);
}
