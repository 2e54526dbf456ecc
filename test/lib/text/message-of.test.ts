import { expect, test } from 'vitest';
import { messageOf } from '../../../src/lib/text/message-of.ts';

test.each([
  { thrown: new TypeError('no such thing'), message: 'no such thing' },
  { thrown: 'a text', message: 'a text' },
  { thrown: undefined, message: 'undefined' },
])('the message of $thrown is "$message"', ({ thrown, message }) => {
  expect(messageOf(thrown)).toBe(message);
});
