import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { PreparedCommit, Repository, StoredObject } from '../../../src/contracts/ports/repository.ts';
import { verifyPreparedCommit } from '../../../src/kernel/commit/verify-prepared-commit.ts';
import { hashObject } from '../../../src/lib/git/object-id.ts';

const COMMIT = 'c'.repeat(40) as ObjectId;
const CONTENT = Buffer.from('new\n');
const BLOB = hashObject('blob', CONTENT);
const loose = (content: Buffer) => deflateSync(Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]));

/** What the tool says that it made, what is in its scratch, and whether the repository has the object. */
function verify(given: { readonly claimed?: string; readonly bytes?: Buffer | null; readonly known?: boolean } = {}) {
  const { claimed = COMMIT, bytes = loose(CONTENT), known = false } = given;
  const object: StoredObject = { type: 'blob', content: CONTENT };
  const repository = { readObject: () => Promise.resolve(known ? object : null) } as unknown as Repository;
  const expected = { prepared: { commit: COMMIT } as PreparedCommit, objects: new Map([[BLOB, object]]) };
  return verifyPreparedCommit(repository, expected, claimed, () => Promise.resolve(bytes));
}

describe('a commit that the git tool made', () => {
  it.each<[string, Parameters<typeof verify>[0]]>([
    ['the one that was due, with its objects', {}],
    ['the one that was due, whose object the repository has', { bytes: null, known: true }],
  ])('is accepted: %s', async (_name, given) => {
    expect(await verify(given)).toEqual({ kind: 'verified' });
  });

  it.each<[string, Parameters<typeof verify>[0], string]>([
    [
      'another commit',
      { claimed: 'd'.repeat(40) },
      `the git tool made commit ${'d'.repeat(40)}, where ${COMMIT} was due`,
    ],
    ['an object that is nowhere', { bytes: null }, `object ${BLOB} is missing`],
    ['an object that is none', { bytes: Buffer.from('x') }, `object ${BLOB} is malformed: not a zlib stream`],
    ['an object with other content', { bytes: loose(Buffer.from('old\n')) }, `object ${BLOB} has other content`],
  ])('is refused: %s', async (_name, given, reason) => {
    expect(await verify(given)).toEqual({ kind: 'refused', reason });
  });
});
