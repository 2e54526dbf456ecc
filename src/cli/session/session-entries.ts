import type { PickerEntry, PickerList } from '../../tui/panel/panel.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import { formatAge } from '../../lib/text/format-age.ts';
import type { SessionSummary } from './read-sessions.ts';
import { forkWords, sessionTree } from './session-tree.ts';
import { lastWords, listSessions } from './read-sessions.ts';

/** `fluffy session list` shows older ones. */
const MAX_ENTRIES = 200;
const PREVIEW_LINES = 3;

/**
 * The sessions of a project as entries of a list: forks below their original, otherwise the most recently used first and marked. Without the session
 * with this id. Read from the database, without a container.
 */
export function sessionEntries(
  databasePath: string,
  nowMs: number,
  without: string | null = null,
): Pick<PickerList, 'entries' | 'first'> {
  const sessions = listSessions(databasePath).filter(({ id, archived }) => !archived && id !== without);
  const [last] = sessions;
  const tree = sessionTree(sessions.slice(0, MAX_ENTRIES));
  const words = lastWords(
    databasePath,
    tree.map(({ session }) => session.id),
  );
  const entries = tree.map(({ session, depth }): PickerEntry => entryOf(session, depth, { nowMs, words }));
  return { entries, ...(last === undefined ? {} : { first: last.id }) };
}

function entryOf(
  { id, title, updated, mode, status, commits, forked_from }: SessionSummary,
  depth: number,
  { nowMs, words }: { readonly nowMs: number; readonly words: ReadonlyMap<string, readonly string[]> },
): PickerEntry {
  const fork = forked_from === null ? '' : ` · ${forkWords(forked_from)}`;
  return {
    id,
    depth,
    label: safeLine(`${title === '' ? '(no messages yet)' : title}${fork}`),
    aside: safeLine(`${status} · ${formatAge(nowMs - updated)}`),
    preview: [
      safeLine(`${id} · ${mode} · ${commits.length === 0 ? 'no commit' : `commits: ${commits.length}`}`),
      ...(words.get(id) ?? []).flatMap((text) => safeLines(text).slice(0, PREVIEW_LINES)),
    ],
  };
}
