import type { SessionRow } from '../../../src/contracts/ports/session-store.ts';

export function sessionRow(fields: Partial<SessionRow> = {}): SessionRow {
  return {
    id: 's_abcdefgh',
    title: 'Add error handling',
    created_ms: 1_760_000_000_000,
    updated_ms: 1_760_000_000_000,
    state: 'idle',
    mode: 'strict',
    status: 'active',
    commits: [],
    snapshot: '{}',
    ...fields,
  };
}
