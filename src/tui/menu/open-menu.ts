import { fittingCommands } from '../commands/command-menu.ts';
import { commandsOf } from '../commands/registry.ts';
import { usageOf } from '../commands/slash-command.ts';
import { fileQuery } from '../files/fitting-files.ts';
import { reviewFileQuery } from '../files/review-file-query.ts';
import { reviewFiles } from '../store/review-files.ts';
import { safeLine } from '../store/safe-text.ts';
import type { SafeText } from '../store/safe-text.ts';
import type { ViewState } from '../store/view-state.ts';

export interface MenuEntry {
  readonly name: SafeText;
  readonly help: SafeText;
}

/** The possible completions of the typed text. */
export interface OpenMenu {
  readonly kind: 'commands' | 'files';
  readonly entries: readonly MenuEntry[];
  /** The entry that Enter takes; null if nothing was typed or chosen yet, or if the typed text can be entered unchanged. */
  readonly selected: number | null;
}

/** null if nothing fits, or if Esc has closed it. Pure. */
export function openMenu(
  view: Pick<ViewState, 'composer' | 'fileMenu' | 'menu' | 'card' | 'ownCommands'>,
): OpenMenu | null {
  const { composer, fileMenu, menu } = view;
  if (menu.closed || composer.search !== null) return null;
  const { text, cursor } = composer;
  const isMention = fileQuery(text, cursor) !== null;
  // Files of a review follow a command that is complete without them: Enter runs the typed line.
  const isOfReview = !isMention && reviewFileQuery(text, cursor, reviewFiles(view)) !== null;
  const isFiles = fileMenu.length > 0 && (isMention || isOfReview);
  const entries = isFiles ? fileMenu.map((name) => ({ name, help: safeLine('') })) : commandEntries(view);
  if (entries.length === 0) return null;
  const first = isMention || (!isFiles && text.length > 1) ? 0 : null;
  const selected = menu.selected === null ? first : Math.min(menu.selected, entries.length - 1);
  return { kind: isFiles ? 'files' : 'commands', entries, selected };
}

function commandEntries(view: Pick<ViewState, 'composer' | 'ownCommands'>): readonly MenuEntry[] {
  return fittingCommands(view.composer.text, commandsOf(view)).map((command) => ({
    name: safeLine(usageOf(command)),
    help: safeLine(command.help),
  }));
}

/** The entry above or below; after an end, the other end. */
export function nextSelection({ entries, selected }: OpenMenu, step: -1 | 1): number {
  const at = selected ?? (step === 1 ? -1 : entries.length);
  return (at + step + entries.length) % entries.length;
}

/** The part of a menu that is drawn: `rows` entries around the selected one. */
export function menuWindow(
  { entries, selected }: OpenMenu,
  rows: number,
): { readonly from: number; readonly to: number } {
  const from = Math.max(0, Math.min((selected ?? 0) - Math.floor(rows / 2), entries.length - rows));
  return { from, to: Math.min(entries.length, from + rows) };
}
