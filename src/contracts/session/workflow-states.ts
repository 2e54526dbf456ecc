/** The states of the workflow, and the modes that choose its path through them. */
export const SESSION_STATES = [
  'idle',
  'planning',
  'test_writing',
  'code_writing',
  'validating',
  'reviewing',
  'committing',
  'exploring',
  'retroactive_testing',
] as const;

export const SESSION_MODES = ['strict', 'explore', 'debug'] as const;

export type SessionState = (typeof SESSION_STATES)[number];
export type SessionMode = (typeof SESSION_MODES)[number];
