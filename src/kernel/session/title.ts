import { capText } from '../../lib/text/cap-text.ts';
import { firstText } from '../../lib/text/first-last.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import type { Session } from './session.ts';

const MAX_TITLE_CHARACTERS = 80;

/** The first line of a task, until the session has another title. */
export function titleOf(text: string): string {
  return cutTitle(firstText(text.trim().split('\n')));
}

export function cutTitle(line: string): string {
  return capText(line, MAX_TITLE_CHARACTERS);
}

/**
 * Sets the user's title, on one line; no model replaces it later. If the text has no visible character, the title
 * stays. Returns the present title.
 */
export function rename(session: Session, text: string): string {
  const title = oneLine(text, MAX_TITLE_CHARACTERS);
  if (title !== '') {
    session.update({ titled: true });
    session.updateRow({ title });
    session.save();
  }
  return session.row.title;
}
