import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SyntaxLanguage, SyntaxNode } from '../../../src/contracts/ports/syntax.ts';
import { SYNTAX_LANGUAGES } from '../../../src/contracts/ports/syntax.ts';
import { syntaxParser } from '../../../src/platform/syntax/syntax-parser.ts';

/** A clock that stands: a busy machine refuses no text for its time. */
const parse = syntaxParser(() => 0);

const SAMPLES: Readonly<Record<SyntaxLanguage, readonly [source: string, outline: string]>> = {
  javascript: [
    'if (a) b();',
    'program(if_statement(parenthesized_expression(identifier) expression_statement(call_expression(identifier arguments))))',
  ],
  typescript: [
    'let a: B;',
    'program(lexical_declaration(variable_declarator(identifier type_annotation(type_identifier))))',
  ],
  tsx: ['<a/>', 'program(expression_statement(jsx_self_closing_element(identifier)))'],
  python: ['assert a', 'module(assert_statement(identifier))'],
  rust: ['fn f() {}', 'source_file(function_item(identifier parameters block))'],
  ruby: ['def a = b', 'program(method(identifier identifier))'],
  php: ['<?php f();', 'program(php_tag expression_statement(function_call_expression(name arguments)))'],
  java: ['class A {}', 'program(class_declaration(identifier class_body))'],
  cpp: [
    'int f() {}',
    'translation_unit(function_definition(primitive_type function_declarator(identifier parameter_list) compound_statement))',
  ],
  go: ['package a', 'source_file(package_clause(package_identifier))'],
};

function outline(node: SyntaxNode): string {
  const inner = node.children.filter((child) => child.named).map(outline);
  return inner.length === 0 ? node.kind : `${node.kind}(${inner.join(' ')})`;
}

describe('the parser', () => {
  it.each(SYNTAX_LANGUAGES)(
    'knows whether a text of %s is still complete after each edit, as parsing it whole does',
    async (language) => {
      const [text] = SAMPLES[language];
      const places = Array.from({ length: text.length }, (_, start) => start);
      const edits = places.flatMap((start) =>
        ['', '(', ' '].map((replacement) => ({ start, end: start + 1, replacement })),
      );
      const whole: boolean[] = [];
      for (const { start, end, replacement } of edits) {
        const parsed = await parse(language, text.slice(0, start) + replacement + text.slice(end));
        whole.push(parsed.kind === 'parsed' && parsed.complete);
      }
      expect(await parse.completeAfter(language, text, edits)).toEqual(whole);
    },
  );

  it('parses again only what an edit changes', async () => {
    const text = 'export const f = (a, b) => (a > b ? a : b);\n'.repeat(2_000);
    let looked = 0;
    const counting = syntaxParser(() => (looked += 1));
    await counting('javascript', text);
    const once = looked;
    const edits = Array.from({ length: 20 }, () => ({ start: 30, end: 31, replacement: '<' }));
    looked = 0;
    expect(new Set(await counting.completeAfter('javascript', text, edits))).toEqual(new Set([true]));
    expect(looked).toBeLessThan(3 * once);
  });

  it('has its grammars in the image of the kernel', () => {
    const context = readFileSync('sandbox-images/kernel/context.json', 'utf8');
    for (const language of SYNTAX_LANGUAGES) expect(context).toContain(`"-${language}.wasm"`);
  });

  it.each(SYNTAX_LANGUAGES)('reads %s', async (language) => {
    const [source, expected] = SAMPLES[language];
    const parsed = await parse(language, source);
    if (parsed.kind !== 'parsed') throw new Error(parsed.why);
    expect(parsed.complete).toBe(true);
    expect(outline(parsed.root)).toBe(expected);
  });

  it('reads the cases of proptest, with what each parameter is drawn from', async () => {
    const text = `mod tests {
    proptest! {
        #![proptest_config(ProptestConfig::with_cases(9))]
        /// Sums "😀".
        #[test]
        fn adds(a in 0..10u32, (b, c) in (any::<u8>(), map::<u8, u8>()), d: u8) {
            prop_assert_eq!(add(a, b), c);
        }

        #[test]
        fn keeps(mut s in prop_oneof!["[a-z]{1,3}", arb()]) { prop_assert!(s.is_empty()); }
    }
}
`;
    const parsed = await parse('rust', text);
    if (parsed.kind !== 'parsed') throw new Error(parsed.why);
    expect(parsed.complete).toBe(true);
    const found: string[] = [];
    const walk = (node: SyntaxNode): void => {
      if (/^(?:function_item|parameter|range_expression|tuple_expression|macro_invocation)$/.test(node.kind))
        found.push(`${node.kind} ${node.line}: ${text.slice(node.start, node.end).split('\n')[0] ?? ''}`);
      for (const child of node.children) {
        expect(child.parent).toBe(node);
        walk(child);
      }
    };
    walk(parsed.root);
    expect(found).toEqual([
      'macro_invocation 2: proptest! {',
      'function_item 6: fn adds(a in 0..10u32, (b, c) in (any::<u8>(), map::<u8, u8>()), d: u8) {',
      'parameter 6: a in 0..10u32',
      'range_expression 6: 0..10u32',
      'parameter 6: (b, c) in (any::<u8>(), map::<u8, u8>())',
      'tuple_expression 6: (any::<u8>(), map::<u8, u8>())',
      'parameter 6: d: u8',
      'macro_invocation 7: prop_assert_eq!(add(a, b), c)',
      'function_item 11: fn keeps(mut s in prop_oneof!["[a-z]{1,3}", arb()]) { prop_assert!(s.is_empty()); }',
      'parameter 11: mut s in prop_oneof!["[a-z]{1,3}", arb()]',
      'macro_invocation 11: prop_oneof!["[a-z]{1,3}", arb()]',
      'macro_invocation 11: prop_assert!(s.is_empty())',
    ]);
  });

  it.each([
    'proptest! { fn a(x in ) { } }',
    'proptest! { fn a(x in 0..) { ) } }',
    'proptest! { what is this }',
    'other! { fn a() {} }',
    'proptest!(|(x in 0..9)| { f(x) });',
  ])('leaves %s as the tokens of a macro', async (text) => {
    const parsed = await parse('rust', text);
    if (parsed.kind !== 'parsed') throw new Error(parsed.why);
    expect(outline(parsed.root)).not.toContain('function_item');
  });

  it('gives offsets of the text also behind characters outside of the basic plane', async () => {
    const text = 'const a = "😀é";\nconst b = 1;';
    const parsed = await parse('javascript', text);
    if (parsed.kind !== 'parsed') throw new Error(parsed.why);
    const second = parsed.root.children[1];
    expect(second).toMatchObject({ line: 2, endLine: 2 });
    expect(text.slice(second?.start, second?.end)).toBe('const b = 1;');
    expect(second?.parent).toBe(parsed.root);
  });

  it.each([
    ['a macro before a block', 'TEST_CASE("adds", "[x]") { SECTION("a") { CHECK(f(1) == 2); } }', true],
    ['a call before a block', 'f("adds") { g(); }', false],
    ['something missing in it', 'TEST_CASE("adds") { f(1 }', false],
  ])('takes C++ with %s for complete where the macro makes it so', async (_, text, complete) => {
    expect(await parse('cpp', text)).toMatchObject({ kind: 'parsed', complete });
  });

  it.each([
    ['variance of type parameters', 'interface A<in out T, out U = X> {}\nclass B<out T extends A<T, T>> {}', true],
    ['variance and an error', 'interface A<out T> {}\nif (', false],
    ['a call in place of a type parameter', 'interface A<out f()> {}', false],
  ])('takes TypeScript with %s for complete where nothing else is wrong', async (_, text, complete) => {
    expect(await parse('typescript', text)).toMatchObject({ kind: 'parsed', complete });
  });

  it.each([
    ['an error', 'if (', false],
    ['something missing', 'f(a', false],
    ['nothing wrong', 'f(a)', true],
  ])('says whether a text is complete: %s', async (_, text, complete) => {
    expect(await parse('javascript', text)).toMatchObject({ kind: 'parsed', complete });
  });

  it.each([
    ['too large', 'a;'.repeat(1024 * 1024), 'more than'],
    ['nested too deep', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'too deep'],
    ['of too many parts', '[],'.repeat(300_000), 'too many parts'],
  ])('refuses what is %s, and goes on with the next', async (_, text, why) => {
    const refused = await parse('javascript', text);
    expect(refused.kind === 'refused' ? refused.why : 'parsed').toContain(why);
    expect(await parse('javascript', 'a')).toMatchObject({ kind: 'parsed', complete: true });
  });

  it('refuses what takes longer than its deadline', async () => {
    let now = 0;
    const slow = syntaxParser(() => (now += 1_500));
    expect(await slow('javascript', 'f(a);\n'.repeat(100_000))).toEqual({
      kind: 'refused',
      why: 'parsing it takes too long',
    });
  });
});
