import { describe, expect, it } from 'vitest';
import { fittingReviewFiles, reviewFileQuery } from '../../../src/tui/files/review-file-query.ts';

const FILES = ['src/a.js', 'src/b.js', 'with blank.js'];

describe('a file of the review behind a command', () => {
  it.each<[string, { at: number; query: string } | null]>([
    ['/edit ', { at: 6, query: '' }],
    ['/approve src', { at: 9, query: 'src' }],
    ['/reject src/a.js b', { at: 17, query: 'b' }],
    ['/edit src/a.js', null],
    ['/edit', null],
    ['/editor s', null],
    ['/diff s', null],
    ['say /edit s', null],
    ['/reject Keep the name of s', null],
    ['/reject src/a.js "keep s', null],
    ['/edit @sr', null],
  ])('%j is %j', (text, found) => {
    expect(reviewFileQuery(text, text.length, FILES)).toEqual(found);
  });

  it('is none without a review', () => {
    expect(reviewFileQuery('/reject ', 8, [])).toBeNull();
  });

  it('is one that is not named yet, by a part of its path', () => {
    expect(fittingReviewFiles('/edit ', FILES, '')).toEqual(['src/a.js', 'src/b.js']);
    expect(fittingReviewFiles('/edit src/a.js src', FILES, 'src')).toEqual(['src/b.js']);
    expect(fittingReviewFiles('/edit b.js', FILES, 'b.js')).toEqual(['src/b.js']);
  });
});
