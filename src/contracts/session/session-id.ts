import { z } from 'zod';

/** A session's id in a request; the receiver checks whether the session exists. */
export const sessionId = z.string().max(60);
