import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isMissingHere as isMissingInCrate } from '../../../tool-plugins/test-tool/shared/cargo/missing.ts';
import { isMissingHere as isMissingInPackage } from '../../../tool-plugins/test-tool/shared/go/missing.ts';
import { isMissingHere as isMissingInJava, javaErrors } from '../../../tool-plugins/test-tool/shared/java/missing.ts';
import { declaredIn } from '../../../tool-plugins/test-tool/shared/java/own-names.ts';

const directory = mkdtempSync(join(tmpdir(), 'fluffy-missing-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('what a test of Java lacks', () => {
  it.each([
    [true, 'package Order does not exist', ''],
    [true, 'package Order.Line does not exist', ''],
    [false, 'package Order does not exist', 'import com.example.Order;\n'],
    [false, 'package com.example does not exist', ''],
  ])('%s: %s', (isMissing, message, imports) => {
    const file = join(directory, 'OrderTest.java');
    writeFileSync(file, `package shop;\n\n${imports}class OrderTest {\n  Order.Line line;\n}\n`);
    const errors = javaErrors(`[ERROR] ${file}:[4,8] ${message}`);
    expect(isMissingInJava(errors, [file], { types: new Set(), packages: ['shop'] })).toBe(isMissing);
  });

  const declared = { types: new Set(['Prices', 'Clock', 'Unit']), packages: ['shop'] };

  /** Errors at the marks of a text, one each. */
  function isMissingAt(marked: string, messages: readonly string[], path = 'MarkedTest.java'): boolean {
    const file = join(directory, path);
    const parts = marked.split('▸');
    writeFileSync(file, parts.join(''));
    const said = messages.map((message, index) => {
      const lines = parts
        .slice(0, index + 1)
        .join('')
        .split('\n');
      return `[ERROR] ${file}:[${lines.length},${(lines.at(-1) ?? '').length + 1}] ${message}`;
    });
    return isMissingInJava(javaErrors(said.join('\n')), [join(directory, 'MarkedTest.java')], declared);
  }

  const OVERRIDES = 'method does not override or implement a method from a supertype';
  const DEREFERENCED = 'int cannot be dereferenced';
  const TYPES = 'incompatible types: int cannot be converted to Optional<Integer>';
  const symbol = (kind: string, location: string) =>
    `cannot find symbol\n  symbol:   ${kind}${location === '' ? '' : `\n  location: ${location}`}`;
  const inTest = (kind: string) => symbol(kind, 'class shop.MarkedTest');

  it.each<[boolean, string, string, readonly string[]]>([
    [true, 'a fake of a type', 'class Fake implements Clock { ▸@Override public String zone() {} }', [OVERRIDES]],
    [false, 'a class of its own', 'class Fake implements Runnable { ▸@Override public String zone() {} }', [OVERRIDES]],
    [false, 'no supertype', 'class Fake { Clock clock; ▸@Override public String zone() {} }', [OVERRIDES]],
    [
      true,
      'a fake of a fake',
      'class Fake extends Middle { ▸@Override public String zone() {} }\nclass Middle extends Still {}\nclass Still implements Clock {}',
      [OVERRIDES],
    ],
    [true, 'a class without a name', 'use(new Clock() { ▸@Override public int zone() {} });', [OVERRIDES]],
    [
      false,
      'one of the library, in a call of the project',
      'Prices.of(new Comparator<String>() { ▸@Override public int zone() {} });',
      [OVERRIDES],
    ],
    [
      true,
      'a fake of a missing type',
      'class Fake implements ▸Mailer { ▸@Override public void send() {} }',
      ['cannot find symbol\n  symbol: class Mailer', OVERRIDES],
    ],
    [
      true,
      'a missing type that another package has',
      'import shop.▸Mailer;\nclass MarkedTest { ▸Mailer mailer; }',
      [symbol('class Mailer', 'package shop'), inTest('class Mailer')],
    ],
    [
      false,
      'a type of a library',
      'import org.▸Mailer;\nclass MarkedTest { ▸Mailer mailer; }',
      [inTest('class Mailer'), inTest('class Mailer')],
    ],
    [
      true,
      'a static import',
      '▸import static shop.Prices.sum;\nclass MarkedTest { int a = ▸sum(1); }',
      [symbol('static sum', 'class shop.Prices'), inTest('method sum(int)')],
    ],
    [
      true,
      'all static members',
      'import static shop.Prices.*;\nclass MarkedTest { int a = ▸sum(1); }',
      [inTest('method sum(int)')],
    ],
    [
      false,
      'a method of its own',
      'import static org.junit.A.*;\nclass MarkedTest { int a = ▸sum(1); }',
      [inTest('method sum(int)')],
    ],
    [
      false,
      'a type in one of a library',
      'class MarkedTest { Map.▸Line line; }',
      [symbol('class Line', 'interface java.util.Map')],
    ],
    [
      true,
      'a static import of a missing type',
      '▸import static shop.▸Totals.sum;\nclass MarkedTest { int a = ▸sum(1); }',
      [
        'static import only from classes and interfaces',
        symbol('class Totals', 'package shop'),
        inTest('method sum(int)'),
      ],
    ],
    [
      true,
      'a type by its full name',
      'class MarkedTest { shop.▸Mailer mailer; }',
      [symbol('class Mailer', 'package shop')],
    ],
    [
      false,
      'one of the library, for a variable of the project',
      'Prices prices = new Comparator<String>() { ▸@Override public int zone() {} };',
      [OVERRIDES],
    ],
    [
      false,
      'another type in a statement of a block',
      'run(() -> { Optional<Integer> found = ▸3; Prices.of("tea"); });',
      [TYPES],
    ],
    [
      false,
      'another type after a block',
      'for (int each : Prices.all()) { each(); } Optional<Integer> found = ▸3;',
      [TYPES],
    ],
    [false, 'another type before a block', 'while (▸3) { Prices.of("tea"); }', [TYPES]],
    [true, 'another type of what a loop goes through', 'for (var each : Prices.all()) { found(▸each); }', [TYPES]],
    [false, 'a method of a number, after a condition', 'if (Prices.has("tea")) count▸.get();', [DEREFERENCED]],
    [false, 'an import', 'class MarkedTest { ▸List<String> names; }', [inTest('class List')]],
    [true, 'another type of result', 'Optional<Integer> tea = Prices▸.of("tea");', [TYPES]],
    [
      true,
      'another type of result, by a variable',
      'var tea = Prices.of("tea"); Optional<Integer> found = ▸tea;',
      [TYPES],
    ],
    [
      true,
      'another type of result, in a call',
      'assertThat(▸Prices.of("tea"), is(1));',
      ['no suitable method found for assertThat(int,Is)'],
    ],
    [
      false,
      'another type in a statement of its own',
      'int cents = Prices.of("tea"); Optional<Integer> found = ▸3;',
      [TYPES],
    ],
    [false, 'the name of a type in a text', 'Optional<Integer> found = ▸"Prices"; // Prices', [TYPES]],
    [true, 'a method of a result', 'assertEquals(1, Prices.of("tea")▸.get());', [DEREFERENCED]],
    [false, 'a method of a number', 'assertEquals(Prices.of("tea"), (3)▸.get());', [DEREFERENCED]],
    [
      true,
      'a method of a result of a library type',
      'Prices.name(1)▸.map(x);',
      [symbol('method map(X)', 'class java.lang.String')],
    ],
    [false, 'a method of a text', '"a"▸.map(Prices.of("tea"));', [symbol('method map(int)', 'class java.lang.String')]],
    [
      true,
      'a method of a fake',
      'class Fake implements Clock {}\nvoid t() { fake▸.zone(); }',
      [symbol('method zone()', 'variable fake of type shop.Fake')],
    ],
    [
      true,
      'a constant in a switch',
      'Unit unit = null; switch (unit) { case ▸GRAM: }',
      ['an enum switch case label must be the unqualified name of an enumeration constant'],
    ],
    [
      false,
      'a constant of its own',
      'switch (mine) { case ▸GRAM: }',
      ['an enum switch case label must be the unqualified name of an enumeration constant'],
    ],
    [
      true,
      'an exception',
      'try { Prices.of("tea"); fail(); } ▸catch (IOException e) {}',
      ['exception IOException is never thrown in body of corresponding try statement'],
    ],
    [
      false,
      'an exception of its own code',
      'Prices.of(""); try { fail(); } ▸catch (IOException e) {}',
      ['exception IOException is never thrown in body of corresponding try statement'],
    ],
    [
      true,
      'a method that is no longer there',
      'class Fake implements Clock {}',
      ['Fake is not abstract and does not override abstract method hours() in Clock'],
    ],
    [false, 'syntax', 'Optional<Integer> tea = Prices.of("tea"▸;', ["')' expected"]],
    [
      false,
      'one error of many',
      'Optional<Integer> tea = Prices▸.of("tea"); int a = ▸"a";',
      [TYPES, 'incompatible types: String cannot be converted to int'],
    ],
    [
      false,
      'a type that two variables have',
      'int cents = ▸"a"; Prices prices = null;',
      ['incompatible types: String cannot be converted to int'],
    ],
  ])('%s: %s', (isMissing, _, marked, messages) => {
    expect(isMissingAt(marked, messages)).toBe(isMissing);
  });

  it('knows packages of the project by its sources, its tests and its group', () => {
    const root = join(directory, 'maven');
    const files = {
      'pom.xml': '<groupId>com.example</groupId><dependency><groupId>org.lib</groupId></dependency>',
      'src/main/java/com/example/shop/Prices.java': 'package com.example.shop;\nclass Prices {}\n',
      'src/test/java/till/TillTest.java': 'package till;\nclass TillTest {}\n',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const found = declaredIn([root]);
    expect([...found.types]).toEqual(['Prices']);
    expect(found.packages).toEqual(['com.example.shop', 'till', 'com.example']);
  });

  it('counts a tab up to the next eighth column', () => {
    const file = join(directory, 'TabTest.java');
    writeFileSync(file, '\tPrices.of("tea").get();\n');
    const errors = javaErrors(`[ERROR] ${file}:[1,25] ${DEREFERENCED}`);
    expect(isMissingInJava(errors, [file], declared)).toBe(true);
  });

  it('reads errors in files of the tests alone', () => {
    expect(isMissingAt('class Fake implements Clock { ▸@Override void zone() {} }', [OVERRIDES], 'Fake.java')).toBe(
      false,
    );
  });
});

describe('what a test of Rust lacks', () => {
  const target = { name: 'shop', kind: ['lib'], src_path: join(directory, 'src/lib.rs') };
  const shop = { id: 'shop', name: 'shop', version: '0.1.0', directory, targets: [target] };
  const project = { root: directory, packages: [shop] };

  interface Marked {
    readonly code: string | null;
    readonly rendered: string;
    readonly path: string;
    /** With a mark at the place of the error, and one before it at what explains it. */
    readonly text: string;
  }

  function isMissingAt({ code, rendered, path, text }: Marked): boolean {
    const file = join(directory, path);
    const parts = text.split('▸');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, parts.join(''));
    const places = parts.slice(0, -1).map((_, index) => ({
      file: path,
      startByte: Buffer.byteLength(parts.slice(0, index + 1).join('')),
      isPrimary: index === parts.length - 2,
    }));
    const error = { rootFile: file, code, rendered, files: [path], places };
    const testPath = path.startsWith('src/') ? file : join(directory, 'tests/cart.rs');
    return isMissingInCrate(project, testPath, [testPath], [error]);
  }

  it.each([
    [true, 'src/lib.rs', 'super'],
    [true, 'src/lib.rs', 'crate'],
    [false, 'tests/mul.rs', 'super'],
    [false, 'src/lib.rs', 'rand'],
  ])('%s: in %s, of the module %s', (isMissing, path, module) => {
    const text = `#[cfg(test)]\nmod tests {\n    #[test]\n    fn multiplies() {\n        assert_eq!(${module}::▸mul(6, 7), 42);\n    }\n}\n`;
    const rendered = `error[E0425]: cannot find function \`mul\` in module \`${module}\`\n --> ${path}:5:20\n`;
    expect(isMissingAt({ code: 'E0425', rendered, path, text })).toBe(isMissing);
  });

  it.each<[boolean, string, string, string]>([
    [true, 'another type of result', 'E0308', 'assert_eq!(shop::price("ä"), ▸Some(250));'],
    [
      true,
      'another type of result, imported',
      'E0277',
      'use shop::{price as of, add}; fn t() { ▸assert_eq!(of("tea"), None); }',
    ],
    [
      true,
      'another type of result, by a variable',
      'E0308',
      'let tea = shop::price("tea"); let other = tea; assert_eq!(other, ▸wanted);',
    ],
    [
      true,
      'another type of result, in a pattern',
      'E0308',
      'match ▸shop::price("tea") { ▸Some(cents) => 1, None => 2 }',
    ],
    [true, 'a method of a result', 'E0599', 'assert!(shop::price("tea")\n    .▸is_none());'],
    [true, 'a field of a value of the project', 'E0308', 'let line = shop::Line { name: "tea", count: ▸"3" };'],
    [false, 'a method of a number', 'E0599', 'assert_eq!(shop::price("tea"), 3.▸missing());'],
    [false, 'another type in a statement of its own', 'E0308', 'let tea = shop::price("tea"); let count: i32 = ▸"3";'],
    [false, 'the name of the package in a text', 'E0308', 'let count: i32 = ▸"shop::price"; // shop'],
    [false, 'an import of another package', 'E0308', 'use std::price; fn t() { let count: i32 = ▸price(); }'],
    [false, 'syntax', '', 'assert_eq!(shop::price("tea")▸;'],
  ])('%s: %s', (isMissing, _, code, text) => {
    const rendered = 'error: mismatched types\n';
    expect(isMissingAt({ code: code === '' ? null : code, rendered, path: 'tests/cart.rs', text })).toBe(isMissing);
  });

  it.each([
    [true, 'tests/common/mod.rs'],
    [false, 'examples/cart.rs'],
    [false, 'build.rs'],
  ])('%s: an error in %s', (isMissing, path) => {
    const rendered = 'error[E0432]: unresolved import `shop::Cart`\n';
    expect(isMissingAt({ code: 'E0432', rendered, path, text: 'use shop::▸Cart;\n' })).toBe(isMissing);
  });

  it('takes what a module has as something of the project', () => {
    const text =
      'pub fn price() {}\n#[cfg(test)]\nmod tests { use super::*; fn t() { assert_eq!(price(), ▸None); } }\n';
    const rendered = 'error[E0308]: mismatched types\n';
    expect(isMissingAt({ code: 'E0308', rendered, path: 'src/lib.rs', text })).toBe(true);
  });

  it.each([
    [true, ''],
    [true, 'help: consider importing this struct\n  |\n1 + use std::process::Command;\n'],
    [false, 'help: consider importing this struct\n  |\n1 + use std::collections::HashMap;\n'],
  ])('%s: a name beside all of the package, with %j', (isMissing, help) => {
    const text = 'use shop::*;\nfn t() { ▸HashMap::new(); }\n';
    const rendered = `error[E0433]: cannot find type \`HashMap\` in this scope\n${help}`;
    expect(isMissingAt({ code: 'E0433', rendered, path: 'tests/cart.rs', text })).toBe(isMissing);
  });

  it('does not take every error about the project for something that is missing', () => {
    const rendered = 'error[E0382]: use of moved value: `shop`\n';
    expect(isMissingAt({ code: 'E0382', rendered, path: 'tests/cart.rs', text: 'sum(▸shop);' })).toBe(false);
  });

  it.each([
    [true, 'src/b.rs', '#[cfg(test)]\nmod tests { fn t() -> u32 { super::▸price() } }\n', ['src/a.rs', 'src/b.rs']],
    [true, 'src/b_tests.rs', 'fn t() -> u32 { super::▸price() }\n', ['src/a.rs', 'src/b_tests.rs']],
    [false, 'src/b.rs', 'fn t() -> u32 { super::▸price() }\n#[cfg(test)]\nmod tests {}\n', ['src/a.rs', 'src/b.rs']],
    [false, 'src/b.rs', '#[cfg(test)]\nmod tests { fn t() -> u32 { super::▸price() } }\n', ['src/a.rs']],
  ])('%s: an error in %s, %j, beside tests of another source', (isMissing, path, text, tests) => {
    const rendered = 'error[E0425]: cannot find function `price` in module `super`\n';
    writeFileSync(join(directory, path), text.replace('▸', ''));
    const places = [{ file: path, startByte: text.indexOf('▸'), isPrimary: true }];
    const error = { rootFile: target.src_path, code: 'E0425', rendered, files: [path], places };
    const all = tests.map((each) => join(directory, each));
    expect(isMissingInCrate(project, join(directory, 'src/a.rs'), all, [error])).toBe(isMissing);
  });
});

describe('what a test of Go lacks', () => {
  const undefinedNames = Array.from({ length: 10 }, (_, n) => `./level_test.go:${n + 3}:9: undefined: Level${n}`);

  it.each<[boolean, readonly string[]]>([
    [true, undefinedNames],
    [true, [...undefinedNames, './level_test.go:13:9: too many errors']],
    [false, ['./level_test.go:13:9: syntax error: unexpected newline', ...undefinedNames]],
    [false, ['./level_test.go:13:9: too many errors']],
  ])('%s: %j', (isMissing, lines) => {
    expect(isMissingInPackage(['# shop [shop.test]', ...lines, ''].join('\n'), [], 'shop')).toBe(isMissing);
  });
});
