import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { KernelClient } from '../../../src/cli/kernel-client/kernel-client.ts';
import { decideReview } from '../../../src/cli/review/decide-review.ts';
import { comparedWithShown, forgetShown, rememberShown } from '../../../src/cli/review/shown-review.ts';
import { wholeReview } from '../../../src/cli/review/whole-review.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { ProjectDirs } from '../../../src/contracts/host-layout.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-whole-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** A kernel that answers `review.get` with a review and `review.diff` with these pages, one after the other. */
function kernelWith(review: object | null, pages: readonly string[] = []) {
  const asked: number[] = [];
  const request = (method: string, params: { from: number }) => {
    if (method === 'review.get') return Promise.resolve({ review });
    asked.push(params.from);
    return Promise.resolve({ text: pages[asked.length - 1] ?? '' });
  };
  return { client: { request } as unknown as KernelClient, asked };
}

const REVIEW = { session_id: 's_1', review_id: 'r_1', diff: 'abc' };

describe('the waiting review', () => {
  it.each<readonly [string, object | null, readonly string[], object | null, readonly number[]]>([
    ['is none where none waits', null, [], null, []],
    ['is whole in one answer', REVIEW, ['unused'], REVIEW, []],
    [
      'is put together of pages',
      { ...REVIEW, diff_characters: 8 },
      ['def', 'gh'],
      { ...REVIEW, diff: 'abcdefgh' },
      [3, 6],
    ],
    [
      'ends where the kernel has no more',
      { ...REVIEW, diff_characters: 8 },
      ['de'],
      { ...REVIEW, diff: 'abcde' },
      [3, 5],
    ],
  ])('%s', async (_what, review, pages, expected, from) => {
    const { client, asked } = kernelWith(review, pages);
    expect(await wholeReview(client, null)).toEqual(expected);
    expect(asked).toEqual(from);
  });

  it('cannot be decided where none waits', async () => {
    const { client } = kernelWith(null);
    await expect(decideReview(client, userDirs({ HOME: home }), null, { kind: 'approve' })).rejects.toMatchObject({
      code: 'nothing_to_review',
    });
  });
});

describe('what was shown last', () => {
  const dirs = () => ({ host: home }) as ProjectDirs;
  const review = { review_id: 'r_1', sha256: 'a' };

  it.each<readonly [string, () => Promise<unknown>, string]>([
    ['is nothing at first', () => Promise.resolve(), 'nothing'],
    ['is the same review', () => rememberShown(dirs(), review), 'same'],
    ['is another review', () => rememberShown(dirs(), { ...review, review_id: 'r_2' }), 'other'],
    ['is the same review with another diff', () => rememberShown(dirs(), { ...review, sha256: 'b' }), 'other'],
    ['is no review in a file of another form', () => writeFile(join(home, 'shown-review.json'), '{}'), 'other'],
    ['is nothing after a decision', () => rememberShown(dirs(), review).then(() => forgetShown(dirs())), 'nothing'],
  ])('%s', async (_what, before, expected) => {
    await before();
    expect(await comparedWithShown(dirs(), review)).toBe(expected);
  });
});
