import { canaryName } from '../canary-name.ts';

/** Functions of ours, named as any test could be. */
export interface Canaries {
  readonly pass: string;
  readonly fail: string;
}

/** Two names that occur in none of the tests. Go takes no function for a test whose name goes on in small letters. */
export function canariesBeside(tests: string): Canaries {
  const name = (): string =>
    `Test${canaryName([]).replace(/(?:^|\s)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const names = new Set<string>();
  while (names.size < 2) {
    const made = name();
    if (!tests.includes(made)) names.add(made);
  }
  const [pass = '', fail = ''] = names;
  return { pass, fail };
}

/** A test file of ours for a package. */
export function canarySource(packageName: string, canaries: Canaries): string {
  return `package ${packageName}

import "testing"

func ${canaries.pass}(t *testing.T) {}

func ${canaries.fail}(t *testing.T) { t.Error("as it should") }
`;
}
