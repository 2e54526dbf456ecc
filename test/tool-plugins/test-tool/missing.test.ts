import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isMissingHere as isMissingInCrate } from '../../../tool-plugins/test-tool/shared/cargo/missing.ts';
import { isMissingHere as isMissingInPackage } from '../../../tool-plugins/test-tool/shared/go/missing.ts';
import { isMissingHere as isMissingInJava, javaErrors } from '../../../tool-plugins/test-tool/shared/java/missing.ts';

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
});

describe('what a test of Rust lacks', () => {
  it.each([
    [true, 'src/lib.rs', 'super'],
    [true, 'src/lib.rs', 'crate'],
    [false, 'tests/mul.rs', 'super'],
    [false, 'src/lib.rs', 'rand'],
  ])('%s: in %s, of the module %s', (isMissing, path, module) => {
    const file = join(directory, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(
      file,
      `#[cfg(test)]\nmod tests {\n    #[test]\n    fn multiplies() {\n        assert_eq!(${module}::mul(6, 7), 42);\n    }\n}\n`,
    );
    const rendered = `error[E0425]: cannot find function \`mul\` in module \`${module}\`\n --> ${path}:5:20\n`;
    const target = { name: 'shop', kind: ['lib'], src_path: join(directory, 'src/lib.rs') };
    const shop = { id: 'shop', name: 'shop', version: '0.1.0', directory, targets: [target] };
    const error = { rootFile: file, code: 'E0425', rendered, files: [path] };
    expect(isMissingInCrate({ root: directory, packages: [shop] }, file, [error])).toBe(isMissing);
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
