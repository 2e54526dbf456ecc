import type { LanguageFn } from 'highlight.js';
import { highlightedLines } from './highlighted-lines.ts';
import type { CodeColours } from './code-colours.ts';
import { languageOf } from './languages.ts';

/** Larger texts and longer lines are shown without colours: the highlighter uses regular expressions, and a text may be made to slow them down. */
const MAX_CHARACTERS = 100_000;
const MAX_LINE = 1_000;

/** Loads the highlighter and its languages, in about 40 ms. The first frame does not wait for it. */
export async function loadHighlighter(): Promise<CodeColours> {
  const [{ default: highlighter }, { LANGUAGES }] = await Promise.all([
    import('highlight.js/lib/core'),
    import('./grammars.ts'),
  ]);
  for (const [name, grammar] of Object.entries<LanguageFn>(LANGUAGES)) highlighter.registerLanguage(name, grammar);
  return {
    languageOf,
    lines(text, language) {
      if (text.length > MAX_CHARACTERS || text.split('\n').some((line) => line.length > MAX_LINE)) return null;
      if (highlighter.getLanguage(language) === undefined) return null;
      return highlightedLines(highlighter.highlight(text, { language, ignoreIllegals: true }).value, text);
    },
  };
}
