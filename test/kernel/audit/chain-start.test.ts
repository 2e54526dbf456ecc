import { describe, expect, it } from 'vitest';
import { deletionIn, startBefore } from '../../../src/kernel/audit/chain-start.ts';
import { START, followChain, AUDIT_CHAIN } from '../../../src/kernel/audit/verify-chain.ts';
import { auditChain } from './chain-fixture.ts';

describe('a chain whose first rows are gone', () => {
  it('is followed from where its first row says', () => {
    const rows = auditChain(10).slice(4);
    const start = startBefore(rows[0] ?? null);
    expect(start.entries).toBe(4);
    expect(followChain(AUDIT_CHAIN, rows, undefined, start)).toMatchObject({ position: { entries: 10 }, fault: null });
  });

  it.each([
    ['without a row', null, START],
    ['with its first row', { id: 1, body: '{"prev_hash":"x"}', hash: 'h' }, START],
    ['with a row that says nothing', { id: 5, body: '{}', hash: 'h' }, { entries: 4, hash: '' }],
    ['with a row that cannot be read', { id: 5, body: null, hash: 'h' }, { entries: 4, hash: '' }],
  ])('%s begins where it can', (_what, row, start) => {
    expect(startBefore(row)).toEqual(start);
  });
});

it.each([
  [
    'a record of a deletion',
    { event_type: 'audit_archive_deleted', metadata: { through: '8', head: 'h' } },
    { entries: 8, hash: 'h' },
  ],
  ['one without a number', { event_type: 'audit_archive_deleted', metadata: { through: 'all', head: 'h' } }, null],
  ['another record', { event_type: 'tool_call', metadata: { through: '8', head: 'h' } }, null],
  ['another record that quotes it', { event_type: 'tool_call', metadata: { text: 'audit_archive_deleted' } }, null],
  ['another record that has the word', { event_type: 'tool_call', x: 'audit_archive_deleted' }, null],
])('%s says what was deleted, or nothing', (_what, record, expected) => {
  expect(deletionIn(JSON.stringify(record))).toEqual(expected);
});

it('no record says nothing', () => {
  expect(deletionIn(null)).toBeNull();
});
