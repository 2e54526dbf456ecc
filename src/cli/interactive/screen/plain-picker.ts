import { fittingEntries } from '../../../tui/panel/picker-position.ts';
import type { PickerEntry, PickerList } from '../../../tui/panel/panel.ts';
import type { PickerStep } from '../../../tui/panel/picker-position.ts';

/** Entries of a longer list must be searched by letters. */
const MAX_LISTED = 20;
const HOW = 'Type a number. Letters search. An empty line closes the list.';

export const PICKER_PROMPT = 'number > ';

/** A list in which one entry is chosen, for a terminal in which nothing is redrawn: entries have numbers. */
export class PlainPicker {
  readonly #list: PickerList;
  #entries: readonly PickerEntry[];

  constructor(list: PickerList) {
    this.#list = list;
    this.#entries = fittingEntries(list.entries, '');
  }

  lines(): readonly string[] {
    const listed = this.#entries.slice(0, MAX_LISTED);
    const more = this.#entries.length - listed.length;
    const rows = listed.map(
      ({ label, aside }, index) => `${index + 1}. ${label}${aside === '' ? '' : `, ${aside.trim()}`}`,
    );
    return [
      this.#list.title,
      ...(rows.length === 0 ? ['nothing fits'] : rows),
      ...(more > 0 ? [`and ${more} more`] : []),
      HOW,
    ];
  }

  /** The meaning of an entered line; null: the list has changed. */
  entered(line: string): Exclude<PickerStep, { kind: 'moved' }> | null {
    const word = line.trim();
    if (word === '') return { kind: 'closed' };
    const chosen = /^\d+$/.test(word) ? this.#entries[Number(word) - 1] : undefined;
    if (chosen !== undefined) return { kind: 'picked', id: chosen.id };
    this.#entries = fittingEntries(this.#list.entries, word);
    return null;
  }
}
