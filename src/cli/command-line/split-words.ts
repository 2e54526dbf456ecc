import type { OptionTable } from './cli-command.ts';

export interface SplitArguments {
  /** Words that are neither options nor their values, with their position in `beforeVerbatim`. */
  readonly words: readonly { readonly text: string; readonly at: number }[];
  /** Everything before the first `--`. */
  readonly beforeVerbatim: readonly string[];
  /** Everything after it. */
  readonly verbatim: readonly string[];
}

/**
 * Separates words from options before the command is known. An option takes the next argument as its value if it does so in every table that has it,
 * or if the argument is one of its choices in one of them.
 */
export function splitWords(argv: readonly string[], tables: readonly OptionTable[]): SplitArguments {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const beforeVerbatim = argv.slice(0, end);
  const words: { text: string; at: number }[] = [];
  for (let at = 0; at < beforeVerbatim.length; at += 1) {
    const text = beforeVerbatim[at] ?? '';
    if (!/^-./.test(text)) words.push({ text, at });
    else if (!text.includes('=') && takesValue(nameOf(text), beforeVerbatim[at + 1] ?? '', tables)) at += 1;
  }
  return { words, beforeVerbatim, verbatim: argv.slice(end + 1) };
}

function takesValue(name: string, next: string, tables: readonly OptionTable[]): boolean {
  const meanings = tables
    .flatMap((table) => Object.entries(table))
    .filter(([each, { alias }]) => each === name || [alias].flat().includes(name))
    .map(([, option]) => option);
  const valued = meanings.filter(({ type }) => type !== 'boolean');
  if (valued.length < meanings.length) return valued.some(({ choices }) => choices?.includes(next));
  return valued.length > 0;
}

/** `--resume` and `-r`, but also `-pr`: of several letters the last one takes the value. */
function nameOf(option: string): string {
  return option.startsWith('--') ? option.slice(2) : option.slice(-1);
}
