import type { CodeColours } from './code-colours.ts';
import { NO_COLOURS } from './code-colours.ts';

/** Colours that appear after the highlighter has been loaded; until then, and if loading fails, source is shown without colours. */
export class LazyColours implements CodeColours {
  #loaded: CodeColours = NO_COLOURS;

  async load(): Promise<void> {
    const { loadHighlighter } = await import('./load-highlighter.ts');
    this.#loaded = await loadHighlighter();
  }

  lines(text: string, language: string): ReturnType<CodeColours['lines']> {
    return this.#loaded.lines(text, language);
  }

  languageOf(path: string): string | null {
    return this.#loaded.languageOf(path);
  }
}
