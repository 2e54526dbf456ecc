import { pinNote } from '../../lib/text/pin-words.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Session } from './session.ts';
import { addNote } from './user-messages.ts';

const MAX_PINS = 50;

/** Pins a text: a note informs the model, and no summary can lose it. A pinned text is not added twice. Throws FluffyError `usage`. */
export function pin(session: Session, text: string): readonly string[] {
  const { pins } = session.snapshot;
  if (!pins.includes(text)) {
    if (pins.length >= MAX_PINS) throw tooManyPins();
    session.update({ pins: [...pins, text] });
    addNote(session, pinNote(text));
  }
  return session.snapshot.pins;
}

function tooManyPins(): FluffyError {
  return new FluffyError({
    code: 'usage',
    what: 'The text was not pinned',
    why: `the session has ${MAX_PINS} pins, the maximum: each is in every request`,
    fix: 'Remove one with /unpin NUMBER first',
    exitCode: EXIT.usage,
  });
}

/** Removes a pin, by its number from 1 or by its text; null if there is no such pin. */
export function unpin(session: Session, wanted: string): string | null {
  const { pins } = session.snapshot;
  const found = pins.find((text, index) => text === wanted || String(index + 1) === wanted) ?? null;
  if (found === null) return null;
  session.update({ pins: pins.filter((text) => text !== found) });
  addNote(session, `The user has taken this pin off: ${found}`);
  return found;
}
