import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { toByteString } from '../../../src/lib/git/byte-string.ts';
import { INTENT_TO_ADD, SKIP_WORKTREE } from '../../../src/lib/git/git-index.ts';
import type { GitIndex, IndexEntry } from '../../../src/lib/git/git-index.ts';
import { editIndex, indexConflicts, racyEntries, UNKNOWN_STAT, unsettle } from '../../../src/lib/git/update-index.ts';

const ID = 'a'.repeat(40) as ObjectId;

function entry(path: string, more: Partial<IndexEntry> = {}): IndexEntry {
  const stat = { ...UNKNOWN_STAT, mtimeSeconds: 100, size: 5 };
  return { path: toByteString(path), mode: 0o100644, id: ID, stat, stage: 0, assumeValid: false, extended: 0, ...more };
}

function index(...entries: IndexEntry[]): GitIndex {
  const extensions = ['TREE', 'REUC', 'UNTR', 'FSMN', 'EOIE'].map((signature) => ({
    signature,
    data: Buffer.from('x'),
  }));
  return { version: 3, entries, extensions };
}

const added = { mode: 0o100755, id: 'b'.repeat(40) as ObjectId, stat: UNKNOWN_STAT };

test('edits replace, add and remove their own paths; every other entry stays, flags and all', () => {
  const mine = entry('mine', { extended: SKIP_WORKTREE, assumeValid: true });
  const half = entry('half', { extended: INTENT_TO_ADD });
  const edited = editIndex(index(entry('a'), half, mine, entry('z')), [
    { path: 'a', entry: added },
    { path: 'b', entry: added },
    { path: 'z', entry: null },
    { path: 'nowhere', entry: null },
  ]);
  expect(edited.entries).toEqual([entry('a', added), entry('b', added), half, mine]);
});

test('entries are in the order of their bytes, not of their characters', () => {
  const edited = editIndex(index(entry('\uffee'), entry('a')), [{ path: '\u{1f600}', entry: added }]);
  expect(edited.entries.map(({ path }) => path)).toEqual(['a', '\uffee', '\u{1f600}'].map(toByteString));
});

test('extensions that an edit makes untrue are left out', () => {
  expect(editIndex(index(), []).extensions.map(({ signature }) => signature)).toEqual(['REUC']);
});

describe('conflicts with entries of others', () => {
  const CASES: Record<string, { there: string; edits: Record<string, boolean>; overlapping: string[] }> = {
    'a file below which something is staged': { there: 'a/b', edits: { a: true }, overlapping: ['a/b'] },
    'a path below a staged file': { there: 'a', edits: { 'a/b/c': true }, overlapping: ['a'] },
    'the same, but the file goes': { there: 'a', edits: { a: false, 'a/b/c': true }, overlapping: [] },
    'a name that only begins alike': { there: 'ab', edits: { a: true, 'a.b': true }, overlapping: [] },
    'the same path': { there: 'a', edits: { a: true }, overlapping: [] },
  };
  test.each(Object.entries(CASES))('%s', (_, { there, edits, overlapping }) => {
    const list = Object.entries(edits).map(([path, has]) => ({ path, entry: has ? added : null }));
    expect(indexConflicts(index(entry(there)), list)).toEqual({ unmerged: [], overlapping });
  });

  test('unmerged paths', () => {
    const unmerged = index(entry('a', { stage: 1 }), entry('a', { stage: 2 }));
    expect(indexConflicts(unmerged, []).unmerged).toEqual(['a']);
  });
});

test('an entry as young as the index proves nothing until it is compared', () => {
  const old = entry('old', { stat: { ...UNKNOWN_STAT, mtimeSeconds: 99, size: 5 } });
  const young = entry('young');
  const younger = entry('younger', { stat: { ...UNKNOWN_STAT, mtimeSeconds: 101, size: 5 } });
  const all = index(old, young, younger);
  const racy = racyEntries(all, 100);
  expect(racy).toEqual([young, younger]);
  expect(unsettle(all, new Set(racy)).entries.map(({ stat }) => stat.size)).toEqual([5, 0, 0]);
});
