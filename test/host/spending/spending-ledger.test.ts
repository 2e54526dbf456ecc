import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addSpending, calendarDay } from '../../../src/host/spending/spending-ledger.ts';

const root = mkdtempSync(join(tmpdir(), 'fluffy-spending-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const places = (name: string) => ({
  day: join(root, name, 'spending.json'),
  project: join(root, name, 'p1', 'spending.json'),
});
const fresh = () => places(`u${(count += 1)}`);
const used = (tokens: number, cost_usd: number) => ({ tokens, cost_usd });
const DAY = '2026-03-01';

describe('what all sessions of a user have used', () => {
  it('is kept by day and by project', async () => {
    const first = fresh();
    const second = { ...first, project: join(root, 'other', 'spending.json') };
    await addSpending(first, used(100, 0.5), DAY);
    expect(await addSpending(second, used(10, 0.25), DAY)).toEqual({ day: used(110, 0.75), project: used(10, 0.25) });
    expect(await addSpending(first, used(0, 0), DAY)).toEqual({ day: used(110, 0.75), project: used(100, 0.5) });
  });

  it('begins again with the day, and goes on for the project', async () => {
    const at = fresh();
    await addSpending(at, used(100, 1), DAY);
    expect(await addSpending(at, used(1, 0), '2026-03-02')).toEqual({ day: used(1, 0), project: used(101, 1) });
  });

  it('goes on for a program whose clock or time zone is a day behind, but not for a clock that was far ahead', async () => {
    const at = fresh();
    await addSpending(at, used(100, 1), '2026-03-01');
    expect((await addSpending(at, used(1, 0), '2026-02-28')).day).toEqual(used(101, 1));
    expect((await addSpending(at, used(1, 0), '2026-03-01')).day).toEqual(used(102, 1));
    await addSpending(at, used(7, 0), '2031-01-01');
    expect((await addSpending(at, used(1, 0), '2026-03-02')).day).toEqual(used(1, 0));
  });

  it('loses nothing when many add at once', async () => {
    const at = fresh();
    await Promise.all(Array.from({ length: 8 }, () => addSpending(at, used(1, 1), DAY)));
    expect((await addSpending(at, used(0, 0), DAY)).project).toEqual(used(8, 8));
  });

  it.each(['', '{}', '{"tokens": -5, "cost_usd": 0}'])(
    'is not taken for nothing where a file holds %j',
    async (text) => {
      const at = fresh();
      await addSpending(at, used(5, 1), DAY);
      writeFileSync(at.project, text);
      await expect(addSpending(at, used(1, 1), DAY)).rejects.toThrow();
    },
  );
});

it('a day is one of the calendar', () => {
  expect(calendarDay(new Date(2026, 0, 5, 23, 59).getTime())).toBe('2026-01-05');
});
