import { z } from 'zod';

/** What requests to models have used: tokens of input and output, and USD if the price is known. */
export const spentSchema = z.strictObject({
  tokens: z.number().int().nonnegative().max(1e12),
  cost_usd: z.number().nonnegative().max(1e9),
});

/** Totals of all the user's sessions: today by the host's calendar, and since the beginning in this project. */
export const spendingTotalsSchema = z.strictObject({ day: spentSchema, project: spentSchema });

export type Spent = z.infer<typeof spentSchema>;
export const NOTHING_SPENT: Spent = { tokens: 0, cost_usd: 0 };
export type SpendingTotals = z.infer<typeof spendingTotalsSchema>;
