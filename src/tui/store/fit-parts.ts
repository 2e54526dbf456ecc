import stringWidth from 'string-width';
import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

export interface LinePart {
  readonly text: string;
  /** The part with the lowest weight is dropped first if there is too little room. */
  readonly weight: number;
}

const BETWEEN = ' · ';

/** The parts in order on one line, without those that do not fit. At least one part is kept. */
export function fitParts(parts: readonly LinePart[], columns: number): SafeText {
  let kept = parts.filter(({ text }) => text !== '');
  const line = () => safeLine(kept.map(({ text }) => text).join(BETWEEN));
  while (kept.length > 1 && stringWidth(line()) > columns) {
    const lightest = Math.min(...kept.map(({ weight }) => weight));
    kept = kept.filter(({ weight }) => weight !== lightest);
  }
  return line();
}
