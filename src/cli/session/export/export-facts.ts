import type { SessionDetails } from '../read-sessions.ts';

/** What is at the top of a document about a session. */
export function exportFacts({ id, created, updated, mode, status, commits }: SessionDetails): [string, string][] {
  return [
    ['session', id],
    ['from', new Date(created).toISOString()],
    ['to', new Date(updated).toISOString()],
    ['mode', mode],
    ['status', status],
    ['commits', commits.length === 0 ? 'none' : commits.join(' ')],
  ];
}
