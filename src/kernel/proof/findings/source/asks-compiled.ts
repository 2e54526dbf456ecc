import type { SyntaxLanguage, SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, plainText } from '../../syntax/walk.ts';
import type { Inspection } from '../finding.ts';
import { addedNodes } from '../added-nodes.ts';
import { argumentsOf, literalOf } from '../names.ts';

const GO = /^(?:testing\.Testing|flag\.Lookup|runtime\.Callers?|debug\.Stack|os\.Executable)$/;
const RUST = /(?:^|::)(?:current_exe|Backtrace::(?:force_)?capture)$/;
const RUST_VARIABLE = /(?:^|::)env::var(?:_os)?\(\s*"(?:CARGO|RUST_TEST|NEXTEST)/;
/** The stack, the thread of a runner, the command line, and classes that only tests have. */
const JAVA =
  /(?:^|\.)(?:getStackTrace|getAllStackTraces|getRuntimeMXBean|Thread\.currentThread\(\)\.get(?:Name|ThreadGroup|ContextClassLoader)|ProcessHandle\.current|System\.getProperties|StackWalker\.\w+)$/;
const JAVA_SIGN =
  /^(?:surefire|failsafe|maven|junit|jupiter|testng|gradle|jacoco|test|basedir|localRepository|java\.class\.path|sun\.java\.command|jdk\.module\.|CI$|MAVEN|SUREFIRE|GITHUB_ACTIONS|HOSTNAME|TMPDIR|container$)/i;
const JAVA_LOOKUP = /^(?:System\.(?:getProperty|getenv)|Integer\.getInteger|Long\.getLong|Boolean\.getBoolean)$/;
const JAVA_TESTS = /^(?:(?:org\.(?:junit|testng|mockito|hamcrest|assertj)|junit)\b|(?:surefire|failsafe)\.)/;
const OF_TESTS = /^#\s*\[\s*cfg(?:_attr)?\s*\(.*\btest\b/s;
/** What only tests have in a source: their module, and what it imports. */
const TESTS = new Set(['mod_item', 'use_declaration']);

/** The same question in Go, Rust and Java: which program this is, who calls, and code that is another one in a test. */
export const asksCompiled: Inspection = {
  kind: 'asks-if-tested',
  *look(file) {
    const asked = LANGUAGES.get(file.language);
    if (asked === undefined) return;
    for (const node of addedNodes(file)) {
      const words = asked(node, file.text);
      if (words !== null) yield { line: node.line, words };
    }
  },
};

function inGo(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'import_spec' && /"testing"$/.test(plainText(node, text))) return 'it imports testing';
  if (node.kind === 'index_expression' && /^os\.Args\[0\]$/.test(plainText(node, text)))
    return 'it asks which program it is';
  const called = node.kind === 'call_expression' ? childOf(node, 'function') : null;
  const name = called === null ? '' : plainText(called, text);
  return GO.test(name) ? `${name} shows whether tests run` : null;
}

function inRust(node: SyntaxNode, text: string): string | null {
  const written = plainText(node, text);
  switch (node.kind) {
    case 'macro_invocation':
      return /^cfg!\s*\(.*\btest\b/s.test(written) ? `${written} shows whether tests run` : null;
    case 'attribute_item': {
      const siblings = node.parent?.children ?? [];
      const item = siblings.slice(siblings.indexOf(node) + 1).find(({ kind }) => !/attribute|comment/.test(kind));
      const isOfTests = item !== undefined && TESTS.has(item.kind) && !/\bnot\b/.test(written);
      return OF_TESTS.test(written) && !isOfTests ? `${written} makes another program of it in a test` : null;
    }
    case 'call_expression': {
      const called = childOf(node, 'function');
      const name = called === null ? '' : plainText(called, text);
      if (RUST.test(name)) return `${name} shows whether tests run`;
      if (/thread::current\(\)\s*\.name$/.test(name)) return 'the name of the thread is that of the test';
      return RUST_VARIABLE.test(written) ? 'it asks for a variable of a test run' : null;
    }
    default:
      return null;
  }
}

function inJava(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'string_literal') {
    const value = literalOf(node, text);
    return value !== null && JAVA_TESTS.test(value) ? `it names ${value}` : null;
  }
  if (node.kind !== 'method_invocation') return null;
  const called = ['object', 'name']
    .map((field) => childOf(node, field))
    .flatMap((part) => (part === null ? [] : [plainText(part, text)]))
    .join('.');
  if (JAVA.test(called)) return `${called} shows who calls`;
  if (!JAVA_LOOKUP.test(called)) return null;
  const [first] = argumentsOf(node);
  // The name of a parameter or a constant: what it holds is looked at where it is written.
  if (first?.kind === 'identifier') return null;
  const key = first === undefined ? null : literalOf(first, text);
  return key === null || JAVA_SIGN.test(key) ? `it asks for ${key ?? 'a setting of a computed name'}` : null;
}

/** Of a node that the change adds: what it asks, or null. */
const LANGUAGES: ReadonlyMap<SyntaxLanguage, (node: SyntaxNode, text: string) => string | null> = new Map([
  ['go', inGo],
  ['rust', inRust],
  ['java', inJava],
]);
