import { describe, expect, it } from 'vitest';
import { readRejection } from '../../../src/tui/commands/review.ts';

const FILES = ['README.md', 'src/a.js', 'src/b.js'];

describe('/reject', () => {
  it.each([
    ['not yet', 'not yet'],
    ['call it "parse"', 'call it "parse"'],
    ['"src/a.js is wrong"', 'src/a.js is wrong'],
    [
      'src/a.js "Keep the old name"',
      'To change: src/a.js. Keep the old name. The other files are accepted. Do not change them: README.md, src/b.js.',
    ],
    [
      './src/a.js @README.md "Keep"',
      'To change: src/a.js, README.md. Keep. The other files are accepted. Do not change them: src/b.js.',
    ],
    ["src/a.js src/b.js README.md 'Too long!'", 'To change: src/a.js, src/b.js, README.md. Too long!'],
  ])('%s tells the model %j', (argument, reason) => {
    expect(readRejection(argument, FILES)).toMatchObject({ kind: 'reject', reason });
  });

  it('accepts the files that need not change, and none where the whole is rejected', () => {
    expect(readRejection('src/a.js "why"', FILES)).toMatchObject({ accepts: ['README.md', 'src/b.js'] });
    expect(readRejection('not yet', FILES)).toEqual({ kind: 'reject', reason: 'not yet' });
  });

  it.each([
    ['README.md', 'The reason goes in quotes: /reject README.md "why"'],
    ['README.md src/a.js say which error', 'The reason goes in quotes: /reject README.md src/a.js "why"'],
    ['src/a.js is wrong', 'The reason goes in quotes: /reject src/a.js "why"'],
    ['nofile.md "x"', 'nofile.md is not a file of this review.'],
    ['nofile.md', 'nofile.md is not a file of this review.'],
    ['src/a.js src/c.js "why"', 'src/c.js is not a file of this review.'],
    ['src/a.js and "why"', 'and is not a file of this review.'],
    ['src/a.js ""', 'The reason is empty'],
    ['""', 'The reason is empty'],
  ])('%s decides nothing, and says why', (argument, hint) => {
    const said = readRejection(argument, FILES);
    expect(said.kind === 'unclear' ? said.hint : said.reason).toContain(hint);
    expect(said.kind).toBe('unclear');
  });
});
