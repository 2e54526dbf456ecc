import { ownValue } from '../../lib/own-value.ts';

/** The string that Python printed with `repr`; null if it is none. Pure. */
export function pythonText(printed: string): string | null {
  const quoted = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/.exec(printed);
  const inner = quoted?.[1] ?? quoted?.[2];
  return inner === undefined ? null : inner.replace(/\\(n|t|.)/g, (_, each: string) => ownValue(ESCAPED, each) ?? each);
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t' };
