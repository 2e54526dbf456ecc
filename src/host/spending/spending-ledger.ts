import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { NOTHING_SPENT, spentSchema } from '../../contracts/model/spending.ts';
import type { Spent, SpendingTotals } from '../../contracts/model/spending.ts';
import { writeFileAtomic } from '../../lib/files/atomic-file.ts';
import { withFileLock } from '../file-lock.ts';
import { makeDirectories } from '../../lib/files/make-directories.ts';

export interface LedgerPlaces {
  /** Totals of all the user's projects. */
  readonly day: string;
  readonly project: string;
}

const dayFileSchema = z.strictObject({ date: z.iso.date(), ...spentSchema.shape });

/**
 * Adds the use to the totals of the day and of the project, and resolves to both. The files outlive kernels and supervisors, several of which may add
 * at once. Rejects if a file cannot be read or written, because a limit over an unknown sum would have no effect.
 *
 * A day that has begun goes on if the clock is set back over midnight, or if another program has a time zone in which it has not begun.
 *
 * @param date the host's own day, YYYY-MM-DD
 */
export function addSpending(places: LedgerPlaces, used: Spent, date: string): Promise<SpendingTotals> {
  return withFileLock(`${places.day}.lock`, {}, async () => {
    const known = await read(places.day, dayFileSchema);
    const current = known !== null && known.date === dayAfter(date) ? known.date : date;
    const day = sum(known?.date === current ? known : NOTHING_SPENT, used);
    const project = sum((await read(places.project, spentSchema)) ?? NOTHING_SPENT, used);
    if (used.tokens > 0 || used.cost_usd > 0) {
      await write(places.day, { date: current, ...day });
      await write(places.project, project);
    }
    return { day, project };
  });
}

function sum(a: Spent, b: Spent): Spent {
  return { tokens: a.tokens + b.tokens, cost_usd: a.cost_usd + b.cost_usd };
}

/** null if there is no such file yet; an invalid file is an error. */
async function read<S extends z.ZodType>(path: string, schema: S): Promise<z.infer<S> | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : schema.parse(JSON.parse(text));
}

async function write(path: string, value: object): Promise<void> {
  await makeDirectories(dirname(path), 0o700);
  await writeFileAtomic(path, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
}

/** The day on the host's calendar. */
export function calendarDay(nowMs: number): string {
  const date = new Date(nowMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
