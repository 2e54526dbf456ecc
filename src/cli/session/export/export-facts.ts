import type { ExportedSession } from './exported-session.ts';

/** The facts at the top of a document about a session. */
export function exportFacts({
  id,
  created,
  updated,
  mode,
  status,
  commits,
  audit,
}: ExportedSession): [string, string][] {
  return [
    ['session', id],
    ['from', new Date(created).toISOString()],
    ['to', new Date(updated).toISOString()],
    ['mode', mode],
    ['status', status],
    ['commits', commits.length === 0 ? 'none' : commits.join(' ')],
    ['audit log', audit.words],
  ];
}
