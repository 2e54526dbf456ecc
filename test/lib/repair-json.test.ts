import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairJson } from '../../src/lib/repair-json.ts';

const read = (text: string): unknown => JSON.parse(repairJson(text));

describe('JSON as models write it', () => {
  it.each<[string, string, unknown]>([
    ['a code fence', '```json\n{"path":"a"}\n```', { path: 'a' }],
    ['a fence without a language', ' ```\n{"path":"a"}\n``` ', { path: 'a' }],
    ['a comma at the end', '{"paths":["a","b", ],\n}', { paths: ['a', 'b'] }],
    ['line breaks and tabs in a text', '{"content":"a\n\tb\r\n"}', { content: 'a\n\tb\r\n' }],
    [
      'a regular expression with single backslashes',
      String.raw`{"pattern":"\d+\.(\w+)\[\*\]"}`,
      { pattern: String.raw`\d+\.(\w+)\[\*\]` },
    ],
    ['a line that goes on behind a backslash', '{"script":"a \\\n b"}', { script: 'a \\\n b' }],
    ['words of Python', '{"a":True,"b":[False,None]}', { a: true, b: [false, null] }],
  ])('is read with %s', (_fault, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it.each([
    ['what looks like a fault within a text', String.raw`{"content":"[1,] True None \\d \" ,}"}`],
    ['escapes that JSON has', String.raw`{"content":"\n\t\u00e9\/\\\""}`],
    ['a fence within a text', '{"content":"```\\na\\n```"}'],
  ])('stays as it is with %s', (_what, text) => {
    expect(repairJson(text)).toBe(text);
  });

  it.each([
    ['a text that is cut off', '{"content":"a'],
    ['an object that is cut off', '{"path":"a"'],
    ['two objects', '{"path":"a"}{"path":"b"}'],
    ['a quote behind a backslash, which may be meant or not', String.raw`{"content":"it\'s"}`],
    ['half of a code point', String.raw`{"content":"\u12"}`],
    ['a value without quotes', '{"path":a}'],
  ])('is not guessed with %s', (_fault, text) => {
    expect(() => read(text)).toThrow(SyntaxError);
  });

  it('means the same where it was JSON before', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
