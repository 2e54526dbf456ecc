/** How the last run of a session ended, or that it works or waits. A session that is out of the lists is `archived` in its place. */
export const SESSION_STATUSES = ['active', 'waiting', 'committed', 'done', 'failed', 'cancelled', 'archived'] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];
