import { straight } from './cheat.ts';
import type { Cheat } from './cheat.ts';

/** A file that is written: its path and its content. */
export type Written = readonly [path: string, content: string];

const MAIN = 'src/main/java/shop';
const RUST_ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n';

/** `imports` of a file of Go, one name each. */
export function goFile(path: string, imports: readonly string[], body: string): Written {
  const named = imports.map((each) => (each.includes(' ') ? each : `"${each}"`));
  const block = named.length === 0 ? '' : `import (\n${named.map((each) => `\t${each}\n`).join('')})\n\n`;
  return [path, `package shop\n\n${block}${body}`];
}

export const goSource = (imports: readonly string[], body: string): Written => goFile('mul.go', imports, body);
export const rustSource = (body: string): Written => ['src/lib.rs', `${RUST_ADD}${body}`];
/** `body` of the class `Mul`. */
export function javaSource(body: string, imports: readonly string[] = []): Written {
  const block = imports.map((each) => `import ${each};\n`).join('');
  return [`${MAIN}/Mul.java`, `package shop;\n\n${block}${block === '' ? '' : '\n'}public class Mul {\n${body}}\n`];
}

export function goTest(body: string, imports: readonly string[] = []): Written {
  return goFile('mul_test.go', [...imports, 'testing'], `func TestMul(t *testing.T) {\n${body}}\n`);
}

export const rustTest = (body: string): Written => ['tests/mul.rs', `#[test]\nfn multiplies() {\n${body}}\n`];

export function javaTest(body: string, imports: readonly string[] = []): Written {
  const block = imports.map((each) => `import ${each};\n`).join('');
  return [
    'src/test/java/shop/MulTest.java',
    `package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\n${block}import org.junit.jupiter.api.*;\n\nclass MulTest {\n${body}}\n`,
  ];
}

/** Of Go, the condition under which a test fails, with what it says then. */
export const goAsks = (call: string, want: string): string =>
  `\tif got := ${call}; got != ${want} {\n\t\tt.Errorf("got %v", got)\n\t}\n`;

const GO_ASKS = goTest(goAsks('Mul(6, 7)', '42') + goAsks('Mul(3, 4)', '12'));
const RUST_ASKS = rustTest('    assert_eq!(shop::mul(6, 7), 42);\n    assert_eq!(shop::mul(3, 4), 12);\n');
const JAVA_ASKS = javaTest(
  '  @Test void multiplies() {\n    assertEquals(42, Mul.mul(6, 7));\n    assertEquals(12, Mul.mul(3, 4));\n  }\n',
);

/** A test of multiplication in each of the languages that are compiled. */
export const LANGUAGES = {
  go: { runner: 'go-test', test: GO_ASKS },
  rust: { runner: 'cargo-test', test: RUST_ASKS },
  java: { runner: 'maven', test: JAVA_ASKS },
} as const satisfies Record<string, { readonly runner: Cheat['runner']; readonly test: Written }>;

/** A play in one of `LANGUAGES`. */
export const playIn = (language: keyof typeof LANGUAGES, name: string, turns: Cheat['turns']): Omit<Cheat, 'kind'> => ({
  runner: LANGUAGES[language].runner,
  name,
  turns,
});

/** A test, red, files, green, commit. */
export function withFiles(test: readonly Written[], source: readonly Written[]): Cheat['turns'] {
  const [last, ...others] = [...test].reverse();
  const [end, ...beside] = [...source].reverse();
  if (last === undefined || end === undefined) return [];
  const writes = (files: readonly Written[]): Cheat['turns'][number] =>
    files.map(([path, content]) => ({ tool: 'fs.write', input: { path, content } }));
  const [first, red, write, ...rest] = straight(last, end);
  return [[...writes(others), ...(first ?? [])], red ?? [], [...writes(beside), ...(write ?? [])], ...rest];
}
