import { describe, expect, it } from 'vitest';
import { AUDIT_CHAIN } from '../../../src/kernel/audit/verify-chain.ts';
import type { ChainRow } from '../../../src/kernel/audit/verify-chain.ts';
import { CHECKED_AT_START, checkEnd, checkRest } from '../../../src/kernel/start/check-chain.ts';
import type { ReadSlice } from '../../../src/kernel/start/check-chain.ts';
import { auditChain } from '../audit/chain-fixture.ts';

const LENGTH = CHECKED_AT_START + 900;
const sound = auditChain(LENGTH);

function reading(rows: readonly ChainRow[]): ReadSlice & { read: number } {
  const read = (fromId: number, limit: number) => {
    const found = rows.filter(({ id }) => id >= fromId).slice(0, limit);
    slice.read += found.length;
    return found;
  };
  const slice = Object.assign(read, { read: 0 });
  return slice;
}

const altered = (id: number): ChainRow[] =>
  sound.map((row) => (row.id === id ? { ...row, body: row.body?.replace('src/a.js', 'src/b.js') ?? null } : row));
const without = (id: number): ChainRow[] => sound.filter((row) => row.id !== id);

const rest = async (read: ReadSlice, signal = new AbortController().signal) => {
  let pauses = 0;
  const pause = () => Promise.resolve(void (pauses += 1));
  const fault = await checkRest(AUDIT_CHAIN, read, LENGTH, { pause, signal });
  return { fault, pauses };
};

describe('the end of a chain', () => {
  it('is all that is read at the start, however long the chain is', () => {
    const read = reading(sound);
    expect(checkEnd(AUDIT_CHAIN, read, LENGTH)).toBeNull();
    expect(read.read).toBe(CHECKED_AT_START + 1);
  });

  it.each([0, 1, 2, CHECKED_AT_START, CHECKED_AT_START + 1])('is sound in a sound chain of %i records', (length) => {
    expect(checkEnd(AUDIT_CHAIN, reading(sound.slice(0, length)), length)).toBeNull();
  });

  it.each([LENGTH, LENGTH - CHECKED_AT_START + 1])('shows that record %i of it was altered', (id) => {
    expect(checkEnd(AUDIT_CHAIN, reading(altered(id)), LENGTH)).toMatchObject({
      id,
      reason: expect.stringContaining('altered') as string,
    });
  });

  it('shows that a record of it is missing, and that the file is damaged', () => {
    expect(checkEnd(AUDIT_CHAIN, reading(without(LENGTH - 5)), LENGTH)).toEqual({ id: LENGTH - 5, reason: 'missing' });
    const broken = () => {
      throw new Error('malformed');
    };
    expect(checkEnd(AUDIT_CHAIN, broken, LENGTH)).toMatchObject({ reason: 'unreadable: Error: malformed' });
  });
});

describe('the rest of a chain', () => {
  it('is checked in slices, with pauses in between', async () => {
    const read = reading(sound);
    expect(await rest(read)).toMatchObject({ fault: null, pauses: 5 });
    expect(read.read).toBe(LENGTH - CHECKED_AT_START);
  });

  it.each([1, 200, 201, LENGTH - CHECKED_AT_START])('shows that record %i of it was altered', async (id) => {
    const reason = expect.stringContaining('altered') as string;
    expect((await rest(reading(altered(id)))).fault).toEqual({ id, reason });
  });

  it.each([2, 300, LENGTH - CHECKED_AT_START])('shows that record %i of it is missing', async (id) => {
    expect((await rest(reading(without(id)))).fault).toEqual({ id, reason: 'missing' });
  });

  it('is left when the kernel ends', async () => {
    const ending = new AbortController();
    ending.abort();
    const read = reading(altered(1));
    expect((await rest(read, ending.signal)).fault).toBeNull();
    expect(read.read).toBe(0);
  });
});
