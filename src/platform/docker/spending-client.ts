import { spendingTotalsSchema } from '../../contracts/model/spending.ts';
import type { Spent, SpendingTotals } from '../../contracts/model/spending.ts';
import { askGuard } from './ask-guard.ts';

const LIMITS = { timeoutMs: 15_000, maxAnswerBytes: 4096 };

/** Has the host add the use to its totals, through the guard's socket. Rejects if the host does not return them. */
export async function addSpendingThrough(socketPath: string, used: Spent): Promise<SpendingTotals> {
  const { status, text } = await askGuard(socketPath, { path: '/fluffy/spending', body: used, ...LIMITS });
  if (status !== 200) throw new Error(`the host did not add it: ${text.slice(0, 200)}`);
  return spendingTotalsSchema.parse(JSON.parse(text));
}
