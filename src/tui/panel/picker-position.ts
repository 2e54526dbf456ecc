import fuzzysort from 'fuzzysort';
import { ownValue } from '../../lib/own-value.ts';
import type { KeyAction } from '../keymap/key-action.ts';
import { keyName, typedLine } from './key-name.ts';
import type { PickerEntry, PickerList } from './panel.ts';

/** The text typed in a picker, and the index of the entry that Enter takes among the matching ones. */
export interface PickerPosition {
  readonly query: string;
  readonly selected: number;
}

export const FRESH_PICKER: PickerPosition = { query: '', selected: 0 };

export function pickerAtFirst({ entries, first }: Pick<PickerList, 'entries' | 'first'>): PickerPosition {
  const place = fittingEntries(entries, '').findIndex(({ id }) => id === first);
  return { query: '', selected: Math.max(0, place) };
}

export type PickerStep =
  | { readonly kind: 'moved'; readonly position: PickerPosition }
  | { readonly kind: 'picked'; readonly id: string }
  | { readonly kind: 'closed' };

/**
 * Entries that contain the letters of the query in order, in a label or a preview; matches in the label come first. Without a query all that are not
 * hidden.
 */
export function fittingEntries(entries: readonly PickerEntry[], query: string): readonly PickerEntry[] {
  if (query.trim() === '') return entries.filter(({ isHidden }) => isHidden !== true);
  const inLabel = fuzzysort.go(query, entries, { key: 'label' }).map(({ obj }) => obj);
  const wanted = query.toLowerCase();
  const inPreview = entries.filter(
    (entry) => !inLabel.includes(entry) && entry.preview.some((line) => line.toLowerCase().includes(wanted)),
  );
  return [...inLabel, ...inPreview];
}

const STEPS: Readonly<Record<string, number>> = { up: -1, down: 1, 'page-up': -5, 'page-down': 5 };
const CLOSING: readonly string[] = ['interrupt', 'end-of-input'];

export function movePicker(at: PickerPosition, action: KeyAction, entries: readonly PickerEntry[]): PickerStep {
  const fitting = fittingEntries(entries, at.query);
  const name = keyName(action);
  if (CLOSING.includes(name) || (name === 'escape' && at.query === '')) return { kind: 'closed' };
  if (name === 'escape') return { kind: 'moved', position: FRESH_PICKER };
  const chosen = fitting[at.selected];
  if (name === 'submit' && chosen !== undefined) return { kind: 'picked', id: chosen.id };
  const query = typedLine(at.query, action);
  if (query !== null) return { kind: 'moved', position: { query, selected: 0 } };
  const to = at.selected + (ownValue(STEPS, name) ?? 0);
  return { kind: 'moved', position: { ...at, selected: Math.max(0, Math.min(fitting.length - 1, to)) } };
}
