const ABSENT =
  /: undefined: |has no field or method|unknown field|(?:not enough|too many) arguments in call|assignment mismatch|is not in std|no required module provides package|cannot find (?:package|module)|no Go files in/;
/** Of a package whose directory has tests alone so far; without a place in a file. */
const TESTS_ALONE = /^(\S+): no (?:non-test )?Go files in /;
/** The compiler says ten and then this: what it has not said is seen once the first ten are there. */
const CUT_OFF = /^\S+: too many errors$/;

/** Whether a package of this module lacks what its tests use: each line of the compiler says so. `imports`: those of the test file. */
export function isMissingHere(build: string, imports: readonly string[], modulePath: string | null): boolean {
  const lines = build
    .split('\n')
    .filter((line) => (/^\S+\.go:\d+/.test(line) && !CUT_OFF.test(line)) || TESTS_ALONE.test(line));
  if (lines.length === 0 || !lines.every((line) => ABSENT.test(line) || TESTS_ALONE.test(line))) return false;
  return lines.every((line) => {
    const qualifier = /: undefined: (\w+)\.\w+/.exec(line)?.[1];
    const named = /package (\S+) is not in std|provides package (\S+?)[;:]?(?:\s|$)/.exec(line)?.slice(1).find(Boolean);
    const path = named ?? TESTS_ALONE.exec(line)?.[1];
    const imported = path ?? imports.find((each) => each.split('/').at(-1) === qualifier);
    if (path === undefined && qualifier === undefined) return true;
    return modulePath !== null && (imported === modulePath || imported?.startsWith(`${modulePath}/`) === true);
  });
}
