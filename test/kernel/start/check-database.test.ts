import { expect, it } from 'vitest';
import { AUDIT_CHAIN } from '../../../src/kernel/audit/verify-chain.ts';
import type { ReadSlice } from '../../../src/kernel/start/check-chain.ts';
import { CHECKED_AT_START } from '../../../src/kernel/start/check-chain.ts';
import { checkDatabase } from '../../../src/kernel/start/check-database.ts';
import { auditChain } from '../audit/chain-fixture.ts';

const LENGTH = CHECKED_AT_START + 300;
const sound = auditChain(LENGTH);
const readSound: ReadSlice = (from, limit) => sound.filter(({ id }) => id >= from).slice(0, limit);
const readBroken: ReadSlice = (from, limit) => {
  if (from > 200) throw new Error('database disk image is malformed');
  return readSound(from, limit);
};
const readAltered: ReadSlice = (from, limit) =>
  readSound(from, limit).map((row) => (row.id === 3 ? { ...row, body: '{}' } : row));

async function check({ read = readSound, damagedRow = null as string | null, aborted = false }) {
  const done: string[] = [];
  const ending = new AbortController();
  if (aborted) ending.abort();
  await checkDatabase(
    {
      chains: [{ table: 'audit', chain: AUDIT_CHAIN, read, entries: LENGTH }],
      findDamage: () => Promise.resolve(damagedRow),
      pause: () => Promise.resolve(),
      append: ({ event_type, input_summary }) => done.push(`${event_type} ${input_summary}`),
      notify: ({ code, why }) => done.push(`${code} ${why}`),
      trust: () => done.push('trust'),
      distrust: () => done.push('distrust'),
    },
    ending.signal,
  );
  return done;
}

it('a sound database is trusted', async () => {
  expect(await check({})).toEqual(['trust']);
});

it('damage in a chain is recorded and reported, and the next start looks at every page', async () => {
  const why = 'Error: database disk image is malformed';
  expect(await check({ read: readBroken })).toEqual([
    `audit_chain_break audit, record 201: unreadable: ${why}`,
    'distrust',
    `database_damaged audit, from record 201 on: ${why}`,
  ]);
});

it('damage elsewhere is too', async () => {
  expect(await check({ damagedRow: 'events, behind row 7: malformed' })).toEqual([
    'audit_chain_break the database is damaged: events, behind row 7: malformed',
    'distrust',
    'database_damaged events, behind row 7: malformed',
  ]);
});

it('an altered record is recorded; no backup would help', async () => {
  expect(await check({ read: readAltered })).toEqual([
    expect.stringContaining('audit_chain_break audit, record 3') as string,
    'trust',
  ]);
});

it('a check that the end of the kernel cut off trusts nothing', async () => {
  expect(await check({ aborted: true })).toEqual([]);
});
