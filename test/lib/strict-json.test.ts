import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_JSON_DEPTH, parseStrictJson, scanJsonStructure } from '../../src/lib/strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

describe('parseStrictJson', () => {
  it.each([
    ['{"a":1,"a":2}', 'duplicate key'],
    ['{"a":1,"\\u0061":2}', 'duplicate key'],
    ['[{"x":{"k":1,"k":1}}]', 'duplicate key'],
    ['{"1":0,"1":0}', 'duplicate key'],
    ['{"__proto__":{"admin":true}}', 'key __proto__'],
    ['{"a":[{"\\u005f_proto__":1}]}', 'key __proto__'],
    ['', 'invalid JSON'],
    ['{', 'invalid JSON'],
    ['{}{}', 'invalid JSON'],
    ['{"a":1,}', 'invalid JSON'],
    ['\u{feff}{}', 'invalid JSON'],
    ['NaN', 'invalid JSON'],
    ['"unterminated \\', 'invalid JSON'],
    ['['.repeat(MAX_JSON_DEPTH + 1) + ']'.repeat(MAX_JSON_DEPTH + 1), 'nested too deeply'],
    ['{"a":'.repeat(MAX_JSON_DEPTH + 1) + '1' + '}'.repeat(MAX_JSON_DEPTH + 1), 'nested too deeply'],
  ])('refuses %j', (text, reason) => {
    expect(parse(text)).toEqual({ ok: false, reason });
  });

  it.each([
    ['a lone continuation byte', [0x22, 0x80, 0x22]],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a UTF-16 surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a sequence cut off', [0x22, 0xe2, 0x82, 0x22]],
  ])('refuses %s', (_name, bytes) => {
    expect(parseStrictJson(Buffer.from(bytes))).toEqual({ ok: false, reason: 'invalid UTF-8' });
  });

  it.each([
    '{"a":1,"b":{"a":2}}',
    '[{"a":1},{"a":1}]',
    '{"a":"b\\":{\\"a\\":[[["}',
    '{"a":"\\\\","b":":"}',
    '{"proto":1,"constructor":2}',
    '["__proto__"]',
    '['.repeat(MAX_JSON_DEPTH) + ']'.repeat(MAX_JSON_DEPTH),
  ])('takes %s as JSON.parse does', (text) => {
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
  });

  it('takes whatever JSON.stringify writes', () => {
    const plain = (value: unknown): boolean => !JSON.stringify(value).includes('__proto__');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }).filter(plain), (value) => {
        const text = JSON.stringify(value);
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown });
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('refuses a depth bomb of eight megabytes without building it', () => {
    const before = process.memoryUsage().heapUsed;
    expect(parseStrictJson(Buffer.alloc(8 * 1024 * 1024, '['))).toEqual({ ok: false, reason: 'nested too deeply' });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 1024 * 1024);
  });
});

it('scanJsonStructure counts members outside strings only', () => {
  expect(scanJsonStructure(Buffer.from('{"a:":":","b":[{"c":1}]}'))).toEqual({ depth: 3, members: 3 });
});
