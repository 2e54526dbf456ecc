import type { SessionRow } from '../../../src/contracts/ports/session-store.ts';
import type { SessionOptions } from '../../../src/contracts/session/session-protocol.ts';
import { newSnapshot } from '../../../src/kernel/session/snapshot.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';

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
    ...fields,
  };
}

export const SESSION_OPTIONS: SessionOptions = {
  mode: 'strict',
  model: 'replay/x',
  approve: 'auto',
  limits: {},
  cwd: '',
  test_command: null,
  author: { name: 'Ada Example', email: 'ada@example.org' },
  interactive: false,
};

export function sessionSnapshot(fields: Partial<Snapshot> = {}): Snapshot {
  return { ...newSnapshot(SESSION_OPTIONS, 1_760_000_000_000), ...fields };
}
