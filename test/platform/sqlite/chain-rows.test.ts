import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { chainRows } from '../../../src/platform/sqlite/chain-rows.ts';
import { migrate } from '../../../src/platform/sqlite/schema.ts';

const HASH = 'a'.repeat(64);

/** Ids and bodies of what is found in a database that holds rows of these ids. */
function found(ids: Iterable<number | bigint>, change = ''): { id: number; body: string | null }[] {
  const database = new Database(':memory:');
  migrate(database);
  const insert = database.prepare('INSERT INTO audit (id, body, hash) VALUES (?, ?, ?)');
  database.transaction(() => {
    for (const id of ids) insert.run(id, `body ${id}`, HASH);
  })();
  if (change !== '') database.exec(change);
  const rows = [...chainRows(database, 'audit')].map(({ id, body }) => ({ id, body }));
  database.close();
  return rows;
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the rows of a chain', () => {
  it.each([0, 1, 63, 64, 65, 128, 1_000])('come once each and in order, %i of them', (count) => {
    expect(found(upTo(count)).map(({ id }) => id)).toEqual(upTo(count));
  });

  it('come whatever is missing between them', () => {
    const ids = upTo(300).filter((id) => id % 7 !== 0 && (id < 100 || id > 200));
    expect(found(ids).map(({ id }) => id)).toEqual(ids);
  });

  it('come from below the first id and above every exact number, where somebody could hide them', () => {
    const low = -(2n ** 63n);
    const high = 2n ** 63n - 1n;
    const ids = [
      low,
      low + 1n,
      -1n,
      0n,
      ...upTo(200).map(BigInt),
      ...upTo(100).map((n) => high - 101n + BigInt(n)),
      high,
    ];
    expect(found(ids).map(({ body }) => body)).toEqual(ids.map((id) => `body ${id}`));
  });

  it('have no text that is larger than a record or of another kind', () => {
    const change = `
      UPDATE audit SET body = CAST(zeroblob(1048577) AS TEXT) WHERE id = 2;
      UPDATE audit SET hash = 'short' WHERE id = 3;`;
    expect(found(upTo(3), change).map(({ body }) => body?.slice(0, 6) ?? null)).toEqual(['body 1', null, 'body 3']);
  });
});
