/** Sources of the canaries in C and C++: cases at the end of a test file, or a question at the start of `main`. */
import { randomInt } from 'node:crypto';
import { canaryName } from '../canary-name.ts';
import { codeOf, startOfMain } from './source.ts';
import type { CxxFramework } from './source.ts';

export interface CaseCanaries {
  /** Names as the framework reports them. */
  readonly pass: string;
  /** One for each kind of assertion that the file uses. */
  readonly fails: readonly string[];
  readonly text: string;
}

/** For each assertion what is false; the words of the expectation are those of the file. */
type Falsehoods = readonly (readonly [assertion: RegExp, falsehood: (one: number, other: number) => string])[];

const GTEST: Falsehoods = [
  ...['EXPECT', 'ASSERT'].flatMap((way) => [
    [new RegExp(`\\b${way}_EQ\\s*\\(`), (one: number, other: number) => `${way}_EQ(${one}, ${other})`] as const,
    [new RegExp(`\\b${way}_NE\\s*\\(`), (one: number) => `${way}_NE(${one}, ${one})`] as const,
    [new RegExp(`\\b${way}_TRUE\\s*\\(`), (one: number, other: number) => `${way}_TRUE(${one} == ${other})`] as const,
    [new RegExp(`\\b${way}_FALSE\\s*\\(`), (one: number) => `${way}_FALSE(${one} == ${one})`] as const,
    [
      new RegExp(`\\b${way}_STREQ\\s*\\(`),
      (one: number, other: number) => `${way}_STREQ("${one}", "${other}")`,
    ] as const,
    [
      new RegExp(`\\b${way}_DOUBLE_EQ\\s*\\(`),
      (one: number, other: number) => `${way}_DOUBLE_EQ(${one}.0, ${other}.0)`,
    ] as const,
    [
      new RegExp(`\\b${way}_THAT\\s*\\(`),
      (one: number, other: number) => `${way}_THAT(${one}, ::testing::Eq(${other}))`,
    ] as const,
  ]),
];

const CATCH_WORDS = ['REQUIRE', 'CHECK'] as const;

function catchFalsehoods(prefix: string): Falsehoods {
  return CATCH_WORDS.flatMap((word) => [
    [
      new RegExp(`\\b${prefix}${word}\\s*\\(`),
      (one: number, other: number) => `${prefix}${word}(${one} == ${other})`,
    ] as const,
    [
      new RegExp(`\\b${prefix}${word}_FALSE\\s*\\(`),
      (one: number) => `${prefix}${word}_FALSE(${one} == ${one})`,
    ] as const,
  ]);
}

/** Cases for the end of a file: one that passes, and for each kind of assertion of the file one that has to fail. */
export function caseCanaries(framework: Exclude<CxxFramework, 'plain'>, source: string, tests: string): CaseCanaries {
  const code = codeOf(source);
  const prefix = /\b(CATCH_|DOCTEST_)TEST_CASE\s*\(/.exec(code)?.[1] ?? '';
  const falsehoods = framework === 'gtest' ? GTEST : catchFalsehoods(prefix);
  const used = falsehoods.filter(([assertion]) => assertion.test(code));
  const wrong = (used.length > 0 ? used : falsehoods.slice(0, 1)).map(([, falsehood]) => falsehood(...twoNumbers()));
  const [one] = twoNumbers();
  const right = framework === 'gtest' ? `EXPECT_EQ(${one}, ${one})` : `${prefix}REQUIRE(${one} == ${one})`;
  const names = namesBeside(tests, wrong.length + 2);
  const [suite = '', pass = '', ...fails] = names;
  if (framework === 'gtest') {
    const lines = [right, ...wrong].map(
      (each, at) => `GTEST_TEST(${camel(suite)}, ${camel(names[at + 1] ?? '')}) { ${each}; }`,
    );
    const full = (name: string): string => `${camel(suite)}.${camel(name)}`;
    return { pass: full(pass), fails: fails.map(full), text: `\n${lines.join('\n')}\n` };
  }
  const lines = [right, ...wrong].map((each, at) => `${prefix}TEST_CASE("${names[at + 1] ?? ''}") { ${each}; }`);
  return { pass, fails, text: `\n${lines.join('\n')}\n` };
}

/** What a program without a framework is asked by, and a source of it with the question. */
export interface MainCanary {
  /** A variable of the environment; with `p` it has to end well, with `f` not. */
  readonly variable: string;
  readonly text: string;
}

/**
 * The question is put at the start of `main`, behind whatever the program does before it; where the file has no `main` that can be read, before all. It is
 * about `assert` as the file sees it, where it uses that, and else about the exit code alone.
 */
export function mainCanary(source: string, tests: string): MainCanary {
  const at = startOfMain(source);
  const [asks = '', holds = '', named = ''] = namesBeside(tests, 3).map((each) => each.replaceAll(' ', '_'));
  const variable = named.toUpperCase();
  const [one, other] = twoNumbers();
  const asserts = /\bassert\s*\(/.test(codeOf(source));
  const right = asserts ? `assert(${one} == ${one}); ` : '';
  const wrong = asserts ? `assert(${one} == ${other}); exit(0);` : 'exit(1);';
  const body = `\n#include <stdlib.h>\nstatic int ${asks}(void) {\n  const char *how = getenv("${variable}");\n  if (!how) return 0;\n  if (*how == 'p') { ${right}exit(0); }\n  ${wrong}\n}\n`;
  if (at === null)
    return {
      variable,
      text: `${source}${body}__attribute__((constructor)) static void ${holds}(void) { ${asks}(); }\n`,
    };
  const asked = ` int ${holds} __attribute__((unused)) = ${asks}(); `;
  return {
    variable,
    text: `static int ${asks}(void);\n#line 1\n${source.slice(0, at)}${asked}${source.slice(at)}${body}`,
  };
}

function twoNumbers(): [number, number] {
  return [randomInt(1000), 1000 + randomInt(1000)];
}

/** Names that occur in none of the tests, with blanks between their words. */
function namesBeside(tests: string, count: number): string[] {
  const names = new Set<string>();
  while (names.size < count) {
    const name = `${canaryName([])} ${canaryName([])}`;
    if (![name, camel(name), name.replaceAll(' ', '_')].some((each) => tests.includes(each))) names.add(name);
  }
  return [...names];
}

function camel(name: string): string {
  return name.replace(/(?:^|\s)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
