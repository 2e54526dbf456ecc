import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import {
  anotherJavascriptValue,
  anotherPythonValue,
} from '../../../../../src/kernel/proof/syntax/grammars/another-value.ts';

const replacement = (made: ReturnType<typeof anotherPythonValue>): string =>
  typeof made === 'string' ? made : made.replacement;

/** Expression -> what the other value is, as JSON of it. */
const JAVASCRIPT = [
  ['6 * 7', '43'],
  ["'a' + 'b'", '"ab "'],
  ['1 < 2', 'false'],
  ['[3, 1, 2]', '[2,1,3]'],
  ['[1, 1]', '[1,1,null]'],
  ['[]', '[null]'],
  ['({ a: 1, b: 2 })', '{"a":null,"b":null}'],
  ['new Date(5)', '"1970-01-01T00:00:00.006Z"'],
  ['null', 'true'],
  ['new Map()', undefined],
  ['Promise.resolve(1)', undefined],
] as const;

const PYTHON = [
  ['6 * 7', '43'],
  ['6 / 4', '2.5'],
  ["'a' + 'b'", "'ab '"],
  ['1 < 2', 'False'],
  ['[3, 1, 2]', '[2, 1, 3]'],
  ['(1, 1)', '(1, 1, 1, 1)'],
  ["{'a': 1}", "{'a': None}"],
  ['None', 'True'],
  ['object()', 'None'],
] as const;

describe('another value of the type', () => {
  it.each(JAVASCRIPT)('of %s in JavaScript is %s', (expression, expected) => {
    for (const type of ['', 'any'] as const) {
      const code = stripTypeScriptTypes(`JSON.stringify(${replacement(anotherJavascriptValue(expression, type))})`);
      expect(runInNewContext(code)).toBe(expected);
    }
  });

  it('also exists in Python', () => {
    const lines = PYTHON.map(([expression]) => `print(repr(${replacement(anotherPythonValue(expression))}))`);
    const { stdout } = spawnSync('python3', ['-'], { input: lines.join('\n'), encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(PYTHON.map(([, expected]) => expected));
  });
});
