import type { PickerEntry } from '../../tui/panel/panel.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import { formatAge } from '../../lib/text/format-age.ts';
import { lastWords, listSessions } from './read-sessions.ts';

/** Older ones are found by `fluffy session list`. */
const MAX_ENTRIES = 200;
const PREVIEW_LINES = 3;

/** The sessions of a project as somebody chooses among them, the last used first. Read from the database, with no container. */
export function sessionEntries(databasePath: string, nowMs: number): readonly PickerEntry[] {
  const sessions = listSessions(databasePath).filter(({ status }) => status !== 'archived');
  const shown = sessions.slice(0, MAX_ENTRIES);
  const words = lastWords(
    databasePath,
    shown.map(({ id }) => id),
  );
  return shown.map(({ id, title, updated, mode, status, commits }) => ({
    id,
    label: safeLine(title === '' ? '(nothing said yet)' : title),
    aside: safeLine(`${status} · ${formatAge(nowMs - updated)}`),
    preview: [
      safeLine(`${id} · ${mode} · ${commits.length === 0 ? 'no commit' : `commits: ${commits.length}`}`),
      ...(words.get(id) ?? []).flatMap((text) => safeLines(text).slice(0, PREVIEW_LINES)),
    ],
  }));
}
