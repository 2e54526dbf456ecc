import { expect, it } from 'vitest';
import { redactMessage } from '../../../src/providers/shared/redact.ts';

const KEY = 'sk-1234567';

it.each([
  ['as it is', `Bearer ${KEY} is wrong`, 'Bearer [key] is wrong'],
  ['in Base64', `Basic ${Buffer.from(KEY).toString('base64url')}`, 'Basic [key]'],
  ['in hexadecimal', Buffer.from(KEY).toString('hex'), '[key]'],
])('a key that is echoed %s is taken out', (_how, text, expected) => {
  expect(redactMessage(text, KEY)).toBe(expected);
});

it.each(['e', 'no', 'ollama'])('the placeholder %s leaves messages as they are', (key) => {
  const text = 'the model ollama/none is not there';
  expect(redactMessage(text, key)).toBe(text);
});
