import { expect, it } from 'vitest';
import { reasonFor } from '../../../src/tui/commands/review.ts';

const FILES = ['src/a.js', 'src/b.js', 'test/a.test.js'];

it.each([
  ['not yet', 'not yet'],
  ['call it "parse"', 'call it "parse"'],
  [
    'src/a.js "Keep the old name"',
    'To change: src/a.js. Keep the old name. The other files are accepted as they are; leave them: src/b.js, test/a.test.js.',
  ],
  ["src/a.js src/b.js test/a.test.js 'Too long!'", 'To change: src/a.js, src/b.js, test/a.test.js. Too long!'],
  ['src/a.js src/c.js "why"', null],
  ['src/a.js ""', null],
])('/reject %s tells the model %j', (argument, reason) => {
  expect(reasonFor(argument, FILES)).toBe(reason);
});
