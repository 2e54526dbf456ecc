import { fittingCommands } from '../../../tui/commands/command-menu.ts';
import { parseLine } from '../../../tui/commands/parse-line.ts';
import { commandsOf } from '../../../tui/commands/registry.ts';
import type { SlashCommand } from '../../../tui/commands/slash-command.ts';
import { nextSelection, openMenu } from '../../../tui/menu/open-menu.ts';
import { FRESH_MENU } from '../../../tui/store/view-state.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { FileCompletion } from './file-completion.ts';

export interface PromptMenuParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  readonly files: FileCompletion;
}

/** The keys of the menu after `/` and `@`. Each method returns whether the key was meant for the menu. */
export class PromptMenu {
  readonly #parts: PromptMenuParts;

  constructor(parts: PromptMenuParts) {
    this.#parts = parts;
  }

  /** Up and Down. With a single entry they belong to the prompt. */
  move(step: -1 | 1): boolean {
    const { store } = this.#parts;
    const menu = openMenu(store.current);
    if (menu === null || menu.entries.length < 2) return false;
    store.dispatch({ kind: 'menu', menu: { ...FRESH_MENU, selected: nextSelection(menu, step) } });
    return true;
  }

  /** Tab fills in the selected entry, or the first one. Files that are still being listed are filled in later. */
  fillIn(): boolean {
    const { store, files } = this.#parts;
    const menu = openMenu(store.current);
    return menu === null ? files.complete(0) : this.#take(menu.selected ?? 0) !== 'none';
  }

  /**
   * Enter takes the selected entry. true: nothing else has to be done. A command that still has to run is put into the prompt as if it had been
   * typed, except for commands that decide or leave: these must be typed in full.
   */
  enter(): boolean {
    const menu = openMenu(this.#parts.store.current);
    if (menu === null || menu.selected === null) return false;
    const { text } = this.#parts.store.current.composer;
    if (menu.kind === 'commands' && parseLine(text, commandsOf(this.#parts.store.current)).kind !== 'unknown')
      return false;
    return this.#take(menu.selected) !== 'runnable';
  }

  /** Esc. */
  close(): boolean {
    if (openMenu(this.#parts.store.current) === null) return false;
    this.#parts.store.dispatch({ kind: 'menu', menu: { selected: null, closed: true } });
    return true;
  }

  #fitting(): readonly SlashCommand[] {
    const { current } = this.#parts.store;
    return fittingCommands(current.composer.text, commandsOf(current));
  }

  #take(index: number): 'none' | 'filled-in' | 'runnable' {
    const { store, nowMs, files } = this.#parts;
    const menu = openMenu(store.current);
    if (menu === null) return 'none';
    if (menu.kind === 'files') return files.complete(index) ? 'filled-in' : 'none';
    const command = this.#fitting()[index];
    if (command === undefined) return 'none';
    const text = `/${command.name}${command.argument === null ? '' : ' '}`;
    store.dispatch({ kind: 'edit', edit: { kind: 'replace', text }, atMs: nowMs() });
    const takesNothing = command.argument === null || command.argument.startsWith('[');
    return takesNothing && command.keepsLine !== true ? 'runnable' : 'filled-in';
  }
}
