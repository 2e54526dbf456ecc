import { createHash } from 'node:crypto';
import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { rustItems } from './rust-items.ts';
import type { TopLevelItem } from './top-level-item.ts';

/** A text in a language that allows tests inside sources, divided into its items. */
export interface SourceParts {
  readonly text: string;
  readonly items: readonly TopLevelItem[];
}

/** How a language marks the tests in a source. */
interface InSourceTests {
  /** Whether a text may contain tests, decided without a syntax tree. */
  readonly marks: RegExp;
  /** The mark, as the model has to write it. */
  readonly word: string;
  items(root: SyntaxNode, text: string): TopLevelItem[];
}

const IN_SOURCE_TESTS: Partial<Record<SyntaxLanguage, InSourceTests>> = {
  rust: { marks: /#\s*\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case)\b/, word: '#[cfg(test)]', items: rustItems },
};

/** Returns null for a language whose tests are always in files of their own. */
export function inSourceTests(language: SyntaxLanguage | null): InSourceTests | null {
  return language === null ? null : (IN_SOURCE_TESTS[language] ?? null);
}

export function testsIn({ text, items }: SourceParts): string[] {
  return textsOf(text, items, 'test');
}

/** Returns the texts that are compiled without the tests. Comments and module declarations are left out. */
export function sourceIn({ text, items }: SourceParts): string[] {
  return textsOf(text, items, 'source');
}

function textsOf(text: string, items: readonly TopLevelItem[], role: TopLevelItem['role']): string[] {
  return items.filter((item) => item.role === role).map(({ start, end }) => text.slice(start, end).trim());
}

export function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

/**
 * SHA-256 of the tests of a text, in their order. The rest of the text does not count. Line ends do not count either,
 * because a commit can have other line ends than the working tree.
 */
export function hashOfTests(parts: SourceParts): string {
  return createHash('sha256')
    .update(JSON.stringify(testsIn(parts).map((each) => each.replaceAll('\r\n', '\n'))), 'utf8')
    .digest('hex');
}

/**
 * Returns the source of one version with the tests of another. A module declaration that only `tests` has is kept if
 * `isLoaded` returns true for it.
 */
export function withTestsOf(source: SourceParts, tests: SourceParts, isLoaded: (module: string) => boolean): string {
  const known = new Set(source.items.map(({ module }) => module));
  const modules = tests.items.filter(({ module }) => module !== undefined && !known.has(module) && isLoaded(module));
  const declared = modules.map(({ start, end }) => tests.text.slice(start, end).trim());
  const kept = sourceInPlace(source).trimEnd();
  return [...(kept === '' ? [] : [kept]), ...declared, ...testsIn(tests)].map((each) => `${each}\n`).join('\n');
}

/** Returns the text with everything blanked but its tests. They stay on their lines. */
export function testsInPlace(parts: SourceParts): string {
  return blanked(parts, (role) => role !== 'test');
}

/** Returns the text with its tests blanked. Everything else stays on its lines. */
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
