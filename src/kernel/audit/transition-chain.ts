import { z } from 'zod';
import { SESSION_MODES, SESSION_STATES } from '../../contracts/session/workflow-states.ts';
import type { ChainKind } from './verify-chain.ts';

const transitionSchema = z.strictObject({
  id: z.number().int().positive(),
  prev_hash: z.string(),
  timestamp: z.number().int(),
  session_id: z.string(),
  state: z.enum(SESSION_STATES),
  mode: z.enum(SESSION_MODES),
  status: z.string(),
  genesis_timestamp: z.number().int().optional(),
});

/** The chain of session states. Its first record carries `genesis_timestamp`. */
export const TRANSITION_CHAIN: ChainKind = {
  schema: transitionSchema,
  genesisMs: (record) => {
    const parsed = transitionSchema.safeParse(record);
    return parsed.success ? (parsed.data.genesis_timestamp ?? null) : null;
  },
};
