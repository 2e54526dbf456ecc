import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOriginal, summarise } from '../../../src/kernel/audit/summarise.ts';

const keep = (text: string): string => text;

describe('summarise', () => {
  it('keeps at most 500 characters, on one line', () => {
    expect(summarise('a\n  b\t\tc ', keep)).toBe('a b c');
    const long = summarise('x'.repeat(600), keep);
    expect(long).toHaveLength(500);
    expect(long.endsWith('…')).toBe(true);
  });

  it('sanitises before it cuts, so that half a secret is never left', () => {
    const secret = 'sk-ant-0123456789';
    const text = `${'x'.repeat(495)}${secret}`;
    expect(summarise(text, (whole) => whole.replace(secret, '[secret]'))).not.toContain('sk-');
  });
});

it('a digest of an original depends on the key', () => {
  const key = new Uint8Array(32).fill(7);
  expect(digestOriginal(key, 'yes')).toBe(createHmac('sha256', Buffer.alloc(32, 7)).update('yes').digest('hex'));
  expect(digestOriginal(new Uint8Array(32), 'yes')).not.toBe(digestOriginal(key, 'yes'));
});
