/** Java sources of the canaries: a test in each class that has to fail, and a class of its own with one that has to pass. */
import { randomInt } from 'node:crypto';
import { canaryName } from '../canary-name.ts';
import type { JavaFramework, JavaSource } from './source.ts';

interface FrameworkWords {
  /** Comes before the method. */
  readonly annotation: string;
  readonly assertions: string;
}

const WORDS: Readonly<Record<JavaFramework, FrameworkWords>> = {
  jupiter: { annotation: '@org.junit.jupiter.api.Test', assertions: 'org.junit.jupiter.api.Assertions' },
  junit4: { annotation: '@org.junit.Test', assertions: 'org.junit.Assert' },
  junit3: { annotation: '', assertions: 'junit.framework.Assert' },
  testng: { annotation: '@org.testng.annotations.Test', assertions: 'org.testng.Assert' },
};

/** How a file can call assertions without a qualifier, and what is false for each. */
const FALSEHOODS: readonly (readonly [name: RegExp, falsehood: (one: number, other: number) => string])[] = [
  [/(?<![.\w])assertEquals\s*\(/, (one, other) => `assertEquals(${one}, ${other})`],
  [/(?<![.\w])assertTrue\s*\(/, (one, other) => `assertTrue(${one} == ${other})`],
  [/(?<![.\w])assertFalse\s*\(/, (one, other) => `assertFalse(${one} != ${other})`],
  [/(?<![.\w])assertNull\s*\(/, (one) => `assertNull(Integer.valueOf(${one}))`],
  [/(?<![.\w])assertNotNull\s*\(/, () => 'assertNotNull((Object) null)'],
  [
    /\bimport\s+static\s+(?:org\.assertj|com\.google\.common\.truth)[\w.]*\.(?:assertThat|\*)[\s\S]*(?<![.\w])assertThat\s*\(/,
    (one, other) => `assertThat(${one}).isEqualTo(${other})`,
  ],
];

/** A name that does not occur in any of the tests: of a method in small letters first, of a class with a capital. */
export function javaName(kind: 'method' | 'class', framework: JavaFramework, tests: string): string {
  for (;;) {
    const words = `${framework === 'junit3' ? 'test ' : ''}${canaryName([])} ${canaryName([])}`.split(' ');
    const [first = '', ...rest] = words;
    const joined = first + rest.map(capital).join('');
    const name = kind === 'method' ? joined : `${capital(joined)}Test`;
    if (!tests.includes(name)) return name;
  }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * The file with a test at the end of its class. It calls the assertions as the class sees them (`qualified`: it does not, since the class has other methods
 * of these names). If one of them does not fail on what is false, or fails on what is true, the test passes, and shows it.
 */
export function withFailingCanary(
  text: string,
  source: JavaSource & { readonly end: number },
  {
    name,
    framework,
    qualified,
  }: { readonly name: string; readonly framework: JavaFramework; readonly qualified: boolean },
): { readonly text: string; readonly line: number } {
  const { annotation, assertions } = WORDS[framework];
  const [one, other] = [randomInt(1000), 1000 + randomInt(1000)];
  const own = qualified ? [] : FALSEHOODS.filter(([called]) => called.test(source.code));
  const falsehoods = [
    `${assertions}.assertEquals(${one}, ${other})`,
    `${assertions}.assertTrue(${one} == ${other})`,
    ...own.map(([, falsehood]) => falsehood(one, other)),
  ];
  const tried = falsehoods.map((each) => `try { ${each}; held = false; } catch (Throwable thrown) { }`).join(' ');
  const truth = `try { ${assertions}.assertEquals(${one}, ${one}); } catch (Throwable thrown) { held = false; }`;
  const method = `${annotation} public void ${name}() { boolean held = true; ${tried} ${truth} if (held) ${assertions}.assertEquals(${one}, ${other}); }`;
  const before = text.slice(0, source.end);
  return { text: `${before}\n${method}\n${text.slice(source.end)}`, line: before.split('\n').length + 1 };
}

/** A class with one test, which passes. */
export function passingClass(packageName: string, className: string, method: string, framework: JavaFramework): string {
  const { annotation, assertions } = WORDS[framework];
  const clause = packageName === '' ? '' : `package ${packageName};\n\n`;
  const base = framework === 'junit3' ? ' extends junit.framework.TestCase' : '';
  const one = randomInt(1000);
  return `${clause}public class ${className}${base} {\n  ${annotation} public void ${method}() { ${assertions}.assertEquals(${one}, ${one}); }\n}\n`;
}
