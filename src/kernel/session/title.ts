import { capText } from '../../lib/text/cap-text.ts';
import { oneLine } from '../../lib/text/one-line.ts';
import type { Session } from './session.ts';

const MAX_TITLE_CHARACTERS = 80;

/** The first line of a task, until the session has another title. */
export function titleOf(text: string): string {
  return cutTitle(text.trim().split('\n')[0] ?? '');
}

export function cutTitle(line: string): string {
  return capText(line, MAX_TITLE_CHARACTERS);
}

/** A title by the user, on one line: no model gives the session another one. Where nothing of it can be shown, the title stays. Returns the one there is. */
export function rename(session: Session, text: string): string {
  const title = oneLine(text, MAX_TITLE_CHARACTERS);
  if (title !== '') {
    session.update({ titled: true });
    session.updateRow({ title });
    session.save();
  }
  return session.row.title;
}
