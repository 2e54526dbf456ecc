import { themeEntries } from '../../tui/panel/theme-entries.ts';
import { safeLine } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';
import { THEME_NAMES } from '../../tui/text/theme.ts';
import type { ThemeName } from '../../tui/text/theme.ts';

export interface ThemeParts {
  readonly store: ViewStore;
  /** Writes it into the user's configuration. Resolves to the file. */
  readonly keep: (theme: ThemeName) => Promise<string>;
}

/** The theme of the screen: chosen from a list, shown while it is marked, and stored when it is chosen. */
export class ThemeChoice {
  readonly #parts: ThemeParts;
  /** The theme to restore if nothing is chosen. */
  #before: ThemeName | null = null;

  constructor(parts: ThemeParts) {
    this.#parts = parts;
  }

  open(): void {
    const { store } = this.#parts;
    this.#before = store.current.theme;
    const entries = themeEntries(this.#before);
    const title = safeLine('Theme; the scrollback does not change');
    store.dispatch({ kind: 'panel', panel: { kind: 'picker', purpose: 'theme', title, entries } });
  }

  marked(id: string): void {
    const theme = THEME_NAMES.find((name) => name === id);
    if (theme !== undefined) this.#draw(theme);
  }

  closed(): void {
    if (this.#before !== null) this.#draw(this.#before);
    this.#before = null;
  }

  async taken(id: string): Promise<void> {
    const theme = THEME_NAMES.find((name) => name === id);
    this.#before = null;
    if (theme !== undefined) await this.keep(theme);
  }

  async keep(theme: ThemeName): Promise<void> {
    this.#draw(theme);
    const file = await this.#parts.keep(theme);
    const text = safeLine(`The theme is ${theme}, kept in ${file}.`);
    this.#parts.store.dispatch({ kind: 'say', item: { kind: 'note', level: 'info', text } });
  }

  #draw(theme: ThemeName): void {
    this.#parts.store.dispatch({ kind: 'theme', theme });
  }
}
