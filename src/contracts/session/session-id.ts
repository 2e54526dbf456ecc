import { z } from 'zod';

/** A session's id as it is sent: whether there is one of this name is found out by whoever looks for it. */
export const sessionId = z.string().max(60);
