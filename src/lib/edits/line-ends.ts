import { alignLines } from './align-lines.ts';

export type LineEnd = '\n' | '\r\n';

/** Lines without their ends, and the end of each. If the last line has no end, it counts as that of the line before it. */
export function splitLines(text: string): { readonly lines: readonly string[]; readonly ends: readonly LineEnd[] } {
  if (text === '') return { lines: [], ends: [] };
  const parts = text.replace(/\n$/, '').split('\n');
  const hasEnd = text.endsWith('\n');
  const lines: string[] = [];
  const ends: LineEnd[] = [];
  for (const [index, part] of parts.entries()) {
    const isOpen = index === parts.length - 1 && !hasEnd;
    const isCrlf = !isOpen && part.endsWith('\r');
    lines.push(isCrlf ? part.slice(0, -1) : part);
    ends.push(isOpen ? (ends.at(-1) ?? '\n') : isCrlf ? '\r\n' : '\n');
  }
  return { lines, ends };
}

/** The lines of an edited text, in order. An unchanged line keeps its end; a new one gets that of the line before it. */
export class EditedLines {
  readonly #pieces: string[] = [];
  #last: LineEnd | null = null;

  get text(): string {
    return this.#pieces.join('');
  }

  keep(lines: readonly string[], ends: readonly LineEnd[], from: number, to: number): void {
    for (let index = from; index < to; index += 1) this.#add(lines[index] ?? '', ends[index] ?? '\n');
  }

  /** `next`: the end of the following line, for a new line that has none before it. */
  replace(
    before: readonly string[],
    ends: readonly LineEnd[],
    after: readonly string[],
    next: LineEnd | undefined,
  ): void {
    const aligned = alignLines(before, after);
    const first = ends[0] ?? next ?? '\n';
    for (const [index, line] of after.entries()) {
      const from = aligned[index] ?? null;
      this.#add(line, from === null ? (this.#last ?? first) : (ends[from] ?? '\n'));
    }
  }

  #add(line: string, end: LineEnd): void {
    this.#pieces.push(line, end);
    this.#last = end;
  }
}
