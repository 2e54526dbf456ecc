import { expect, test } from 'vitest';
import { chooseState } from '../../../src/cli/project-state/choose-state.ts';
import type { DirectoryMark, StateRecord } from '../../../src/cli/project-state/state-record.ts';

const OWN = 'a'.repeat(16);
const OTHER = 'b'.repeat(16);
const HERE: DirectoryMark = { inode: '1', born_ns: '100' };

const record = (path: string, mark: DirectoryMark): StateRecord => ({ version: 1, path, mark, seen: null });

function choose(state: StateRecord, { history, there }: { history: boolean | null; there: DirectoryMark | null }) {
  const lookups = {
    isOfHistory: () => Promise.resolve(history),
    followsHistory: true,
    markAt: () => Promise.resolve(there),
  };
  return chooseState({ path: '/p', mark: HERE }, OWN, [{ id: OTHER, record: state }], lookups);
}

test('a directory under two paths at once has one state, and is not called moved', async () => {
  const choice = await choose(record('/q', HERE), { history: true, there: HERE });
  expect(choice).toEqual({ kind: 'known', id: OTHER });
});

test('an inode that is used again is another directory', async () => {
  const choice = await choose(record('/q', { inode: '1', born_ns: '99' }), { history: false, there: null });
  expect(choice).toEqual({ kind: 'new', other: false });
});

test('an inode without the time it was made is no sign', async () => {
  const unborn = { inode: '1', born_ns: '0' };
  const lookups = {
    isOfHistory: () => Promise.resolve(false),
    followsHistory: true,
    markAt: () => Promise.resolve(null),
  };
  const states = [{ id: OTHER, record: record('/q', unborn) }];
  expect(await chooseState({ path: '/p', mark: unborn }, OWN, states, lookups)).toEqual({ kind: 'new', other: false });
});

test('at the same path a history that cannot be read takes no state away', async () => {
  const choice = await choose(record('/p', { inode: '2', born_ns: '100' }), { history: null, there: HERE });
  expect(choice).toEqual({ kind: 'known', id: OTHER });
});

test('a history that cannot be read brings none from another path', async () => {
  const choice = await choose(record('/q', { inode: '2', born_ns: '100' }), { history: null, there: null });
  expect(choice).toEqual({ kind: 'new', other: false });
});
