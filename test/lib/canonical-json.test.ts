import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, isCanonicalJson } from '../../src/lib/canonical-json.ts';

describe('canonicalJson', () => {
  /** The example of RFC 8785, section 3.2.2, and its sorting example of 3.2.3. */
  it.each<[string, unknown, string]>([
    [
      'numbers, strings and literals',
      {
        numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
        string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
        literals: [null, true, false],
      },
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    [
      'keys by UTF-16 code units',
      { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    ['keys that look like numbers by their letters', { 9: 'a', 10: 'b', 1: 'c' }, '{"1":"c","10":"b","9":"a"}'],
    ['negative zero as zero', [-0], '[0]'],
    ['no member that is undefined', { a: undefined, b: 1 }, '{"b":1}'],
  ])('writes %s', (_name, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([[undefined], [NaN], [Infinity], ['\ud800'], [{ a: '\udc00x' }]])('has nothing for %j', (value) => {
    expect(() => canonicalJson(value)).toThrow();
  });
});

describe('isCanonicalJson', () => {
  it('agrees with canonicalJson on any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\ud[89a-f]/.test(text));
        const canonical = canonicalJson(value);
        expect(isCanonicalJson(text, JSON.parse(text))).toBe(text === canonical);
        expect(isCanonicalJson(canonical, JSON.parse(canonical))).toBe(true);
      }),
      { seed: 3, numRuns: 500 },
    );
  });

  it('knows keys that look like numbers', () => {
    expect(isCanonicalJson('{"10":1,"9":2}', JSON.parse('{"10":1,"9":2}'))).toBe(true);
    expect(isCanonicalJson('{"9":2,"10":1}', JSON.parse('{"9":2,"10":1}'))).toBe(false);
  });

  it.each([
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{ "a":1}',
    '{"a":1.0}',
    '{"a":"\\u0061"}',
    '[1e2]',
    '{"x":{"b":1,"a":2}}',
    '"\\ud800"',
    '[[{"b":1,"a":2}]]',
  ])('says no to %s', (text) => {
    expect(isCanonicalJson(text, JSON.parse(text))).toBe(false);
  });
});
