import { describe, expect, it } from 'vitest';
import { mixedFile } from '../../../../src/kernel/proof/in-source/mixed-file.ts';
import {
  hashOfTests,
  inSourceTests,
  sourceIn,
  sourceInPlace,
  testsIn,
  testsInPlace,
} from '../../../../src/kernel/proof/in-source/source-parts.ts';
import type { SourceParts } from '../../../../src/kernel/proof/in-source/source-parts.ts';
import { sourceParts } from '../../../../src/kernel/proof/in-source/staged-work.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => performance.now());

async function partsOf(text: string | null): Promise<SourceParts> {
  const parts = await sourceParts(parse, 'src/lib.rs', text);
  if (parts === null) throw new Error('no parts');
  return parts;
}

const ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const TESTS = '#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {}\n}\n';

describe('of a source in Rust, a test is', () => {
  it.each([
    ['a module for tests', '#[cfg(test)]\nmod tests { }'],
    ['a module for tests in a file of its own', '#[cfg(test)]\nmod tests;'],
    ['what is for tests of one system', '#[cfg(all(test, unix))]\nfn helper() {}'],
    ['a case outside of a module', '#[test]\nfn adds() {}'],
    ['a case of another runtime', '#[tokio::test(flavor = "multi_thread")]\nasync fn adds() {}'],
    ['what has other attributes too', '/// A case.\n#[allow(dead_code)]\n#[test]\n#[should_panic]\nfn adds() {}'],
  ])('%s', async (_, item) => {
    const parts = await partsOf(`${ADD}\n// Tests\n${item}\n`);
    expect(testsIn(parts)).toEqual([item]);
    expect(sourceIn(parts)).toEqual([ADD.trim()]);
  });

  it.each([
    ['what others are compiled with too', '#[cfg(any(test, feature = "x"))]\nfn helper() {}'],
    ['what is compiled without tests', '#[cfg(not(test))]\nfn add() {}'],
    ['what only says test', '#[doc = "test"]\nfn test() {}'],
    ['a function below a test', '#[test]\nfn adds() {}\nfn other() {}'],
    ['an attribute of the crate', '#![allow(dead_code)]'],
  ])('not %s', async (_, item) => {
    expect(sourceIn(await partsOf(`${item}\n`))).toHaveLength(1);
  });

  it('all of a file that is compiled for tests alone', async () => {
    const text = `#![cfg(test)]\n${ADD}`;
    expect(testsIn(await partsOf(text))).toEqual([text.trim()]);
  });
});

it('blanks keep every other character on its line', async () => {
  const text = `${ADD}\n${TESTS}`;
  const parts = await partsOf(text);
  const source = sourceInPlace(parts);
  expect(source).toHaveLength(text.length);
  expect(source.trimEnd()).toBe(ADD.trimEnd());
  expect(testsInPlace(parts).trim()).toBe(TESTS.trim());
});

it('code around the tests does not change their hash', async () => {
  const [one, other] = [await partsOf(`${ADD}${TESTS}`), await partsOf(`${TESTS}\n\nfn other() {}\n`)];
  expect(hashOfTests(one)).toBe(hashOfTests(other));
  expect(hashOfTests(await partsOf(`${ADD}${TESTS}`.replaceAll('\n', '\r\n')))).toBe(hashOfTests(one));
  expect(hashOfTests(await partsOf(`${ADD}${TESTS.replace('adds', 'sums')}`))).not.toBe(hashOfTests(one));
});

it('other languages have their tests in files of their own', () => {
  expect(inSourceTests('go')).toBeNull();
  expect(inSourceTests(null)).toBeNull();
});

describe('a changed source with tests in it', () => {
  const mixed = async (before: string | null, after: string | null, loaded: readonly string[] = []) =>
    mixedFile('src/lib.rs', await partsOf(before), await partsOf(after), (module) => loaded.includes(module));

  it('does not exist without a test', async () => {
    expect(await mixed(ADD, ADD.replace('a + b', 'b + a'))).toBeNull();
  });

  it('has the new tests on the old source, and the old tests on the new source', async () => {
    const sub = ADD.replaceAll('add', 'sub');
    const found = await mixed(`${ADD}\n${TESTS}`, `${sub}\n${TESTS.replace('adds', 'subtracts')}`);
    expect(found).toMatchObject({ testsChanged: true, sourceChanged: true });
    expect(found?.withoutSource).toContain('fn add(');
    expect(found?.withoutSource).toContain('fn subtracts');
    expect(found?.withoutSource).not.toMatch(/fn sub\(|fn adds/);
    expect(found?.withoutTests).toContain('fn sub(');
    expect(found?.withoutTests).toContain('fn adds');
  });

  it('says which of both has changed', async () => {
    const both = `${ADD}\n${TESTS}`;
    expect(await mixed(both, `${both}\n#[test]\nfn more() {}\n`)).toMatchObject({
      testsChanged: true,
      sourceChanged: false,
    });
    expect(await mixed(both, `// Adds.\n${both.replace('a + b', 'b + a')}`)).toMatchObject({
      testsChanged: false,
      sourceChanged: true,
    });
  });

  it('that is new has its tests alone, without the new source', async () => {
    expect((await mixed(null, `${ADD}\n${TESTS}`))?.withoutSource?.trim()).toBe(TESTS.trim());
  });

  it('declares a module without the new source only for its tests', async () => {
    const [before, after] = [`${ADD}\n${TESTS}`, `mod more;\nmod other;\n${ADD}fn x() {}\n${TESTS}`];
    expect((await mixed(before, after, ['more']))?.withoutSource).toMatch(/mod more;(?![^]*mod other)/);
  });

  it('is no source where it only declares a module', async () => {
    expect(await mixed(ADD, `mod more;\n${ADD}`)).toMatchObject({ testsChanged: false, sourceChanged: false });
    expect(await mixed(`mod more;\n${ADD}\n${TESTS}`, `${ADD}\n${TESTS}`)).toMatchObject({ sourceChanged: true });
    expect(await mixed(ADD, `#[path = "x.rs"]\nmod more;\n${ADD}\n${TESTS}`)).toMatchObject({ sourceChanged: true });
  });
});
