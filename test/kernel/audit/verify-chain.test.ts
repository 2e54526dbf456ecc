import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TRANSITION_CHAIN } from '../../../src/kernel/audit/transition-chain.ts';
import { AUDIT_CHAIN, followChain } from '../../../src/kernel/audit/verify-chain.ts';
import type { ChainKind, ChainRow } from '../../../src/kernel/audit/verify-chain.ts';
import { genesisHash } from '../../../src/lib/hash-chain.ts';
import { GENESIS_MS, auditChain, sealRow } from './chain-fixture.ts';

function follow(rows: readonly ChainRow[], chain: ChainKind = AUDIT_CHAIN) {
  const { position, fault } = followChain(chain, rows);
  return { entries: position.entries, fault };
}

const edit = (row: ChainRow, from: string, to: string): ChainRow => ({
  ...row,
  body: row.body?.replace(from, to) ?? null,
});

describe('a chain of hashes', () => {
  it('is SHA-256 over the hash before and the canonical text, as anybody can compute', () => {
    const [first, second] = auditChain(2);
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const genesis = sha256(`genesis:${GENESIS_MS}`);
    expect(first?.hash).toBe(sha256(`${genesis}${first?.body ?? ''}`));
    expect(second?.hash).toBe(sha256(`${first?.hash ?? ''}${second?.body ?? ''}`));
  });

  it('that is sound is followed to its end', () => {
    expect(follow(auditChain(50))).toEqual({ entries: 50, fault: null });
    expect(follow([])).toEqual({ entries: 0, fault: null });
  });

  it.each<[string, (rows: ChainRow[]) => unknown[], number, RegExp]>([
    ['an edit', (rows) => rows.with(4, edit(rows[4] as ChainRow, 'allowed', 'denied')), 5, /altered/],
    [
      'an edited timestamp',
      (rows) => rows.with(4, edit(rows[4] as ChainRow, '"timestamp":17', '"timestamp":16')),
      5,
      /altered/,
    ],
    ['another hash', (rows) => rows.with(4, { ...(rows[4] as ChainRow), hash: 'f'.repeat(64) }), 5, /altered/],
    ['a record taken out', (rows) => rows.toSpliced(4, 1), 5, /missing/],
    [
      'a record taken out and the rest numbered again',
      (rows) => rows.toSpliced(4, 1).map((row, index) => ({ ...row, id: index + 1 })),
      5,
      /written as number 6/,
    ],
    [
      'two records swapped',
      (rows) => rows.with(4, { ...(rows[5] as ChainRow), id: 5 }).with(5, { ...(rows[4] as ChainRow), id: 6 }),
      5,
      /written as number 6/,
    ],
    ['a record twice', (rows) => rows.toSpliced(4, 0, rows[3] as ChainRow), 5, /comes again/],
    [
      'a record put in between, its own hash right',
      (rows) => rows.toSpliced(4, 1, sealRow(5, 'e'.repeat(64), JSON.parse(rows[4]?.body ?? '') as object)),
      5,
      /not linked/,
    ],
    [
      'a record replaced, linked backwards but not forwards',
      (rows) =>
        rows.with(4, sealRow(5, rows[3]?.hash ?? '', { ...JSON.parse(rows[4]?.body ?? ''), tool_name: 'x' } as object)),
      6,
      /not linked/,
    ],
    [
      'a tail from another chain',
      (rows) => [...rows.slice(0, 5), ...auditChain(10, () => ({ input_summary: 'b' })).slice(5)],
      6,
      /not linked/,
    ],
    ['a beginning cut off', (rows) => rows.slice(3).map((row, index) => ({ ...row, id: index + 1 })), 1, /written as/],
    ['a body too large to be one', (rows) => rows.with(4, { ...(rows[4] as ChainRow), body: null }), 5, /unreadable/],
    ['a body that is no JSON', (rows) => rows.with(4, { ...(rows[4] as ChainRow), body: '{' }), 5, /unreadable/],
    ['a body that is no object', (rows) => rows.with(4, { ...(rows[4] as ChainRow), body: '[]' }), 5, /unreadable/],
  ])('shows %s', (_name, tamper, id, reason) => {
    const { entries, fault } = follow(tamper(auditChain(10)) as ChainRow[]);
    expect(fault).toEqual({ id, reason: expect.stringMatching(reason) as string });
    expect(entries).toBe(id - 1);
  });

  it('shows a first record that names another beginning', () => {
    const body = { ...(JSON.parse(auditChain(1)[0]?.body ?? '') as object), metadata: { genesis_timestamp: '1' } };
    expect(follow([sealRow(1, genesisHash(GENESIS_MS), body)]).fault?.reason).toMatch(/not linked/);
    expect(follow([sealRow(1, genesisHash(1), body)]).fault).toBeNull();
    expect(follow([sealRow(1, genesisHash(1), { ...body, metadata: {} })]).fault?.reason).toMatch(
      /when the chain began/,
    );
  });

  it('shows a record with a sound hash that is not what fluffy writes', () => {
    const previous = genesisHash(GENESIS_MS);
    const good = JSON.parse(auditChain(1)[0]?.body ?? '') as Record<string, unknown>;
    expect(follow([sealRow(1, previous, { ...good, verdict: 'fine' })]).fault?.reason).toMatch(/not in the form/);
    expect(follow([sealRow(1, previous, { ...good, event_type: 'nothing' })]).fault?.reason).toMatch(/not in the form/);
    for (const text of [1, null, ['x'], { y: 'z' }]) {
      const metadata = { ...(good['metadata'] as object), x: text };
      expect(follow([sealRow(1, previous, { ...good, metadata })]).fault?.reason).toMatch(/not in the form/);
    }
  });

  it('shows metadata that is no record of texts, in any record but the first', () => {
    const [first, second] = auditChain(2);
    const good = JSON.parse(second?.body ?? '') as Record<string, unknown>;
    const seal = (metadata: unknown) => [first as ChainRow, sealRow(2, first?.hash ?? '', { ...good, metadata })];
    expect(follow(seal({ call_id: 'c' })).fault).toBeNull();
    for (const metadata of [null, 'x', 1, ['x'], []])
      expect(follow(seal(metadata)).fault).toMatchObject({ id: 2, reason: 'not in the form of a record' });
  });

  it('shows a record with a sound hash over text that says one thing twice', () => {
    const [row] = auditChain(1);
    const text = (row?.body ?? '').replace('"tool_name":', '"tool_name":"x","tool_name":');
    const hash = createHash('sha256')
      .update(genesisHash(GENESIS_MS) + text)
      .digest('hex');
    expect(follow([{ id: 1, body: text, hash }]).fault?.reason).toMatch(/canonical/);
  });
});

it('the chain of session states is followed in the same way', () => {
  const body = {
    session_id: 's_1',
    state: 'idle',
    mode: 'strict',
    status: 'active',
    timestamp: 1,
    genesis_timestamp: 5,
  };
  const first = sealRow(1, genesisHash(5), body);
  const { genesis_timestamp: _begins, ...later } = body;
  const second = sealRow(2, first.hash, { ...later, state: 'planning' });
  expect(follow([first, second], TRANSITION_CHAIN)).toEqual({ entries: 2, fault: null });
  expect(follow([first, edit(second, 'planning', 'idle')], TRANSITION_CHAIN).fault?.id).toBe(2);
});
