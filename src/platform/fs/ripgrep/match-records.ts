import { hasControlCharacter } from '../path-rules.ts';
import type { GrepMatch } from '../../../contracts/ports/workspace.ts';

/** Maximum text of one line; ripgrep has already cut longer lines. */
const MAX_LINE_CHARS = 500;

/** Printed, without a NUL, if a file turned out to be binary after a match. */
const BINARY_WARNING = /^[^\n]*: WARNING: stopped searching binary file after match \(.*\)\n/;

/**
 * Reads `path NUL line [:-] text LF` records from chunks. The NUL makes them unambiguous, whatever a path or a line
 * contains. A record without a path comes from standard input.
 */
export class MatchRecords {
  #pending = Buffer.alloc(0);

  /** The complete records in `chunk` and in the rest of the chunk before. */
  read(chunk: Buffer): GrepMatch[] {
    const buffer = Buffer.concat([this.#pending, chunk]);
    const matches: GrepMatch[] = [];
    let at = 0;
    for (;;) {
      const nul = buffer.indexOf(0, at);
      const end = nul === -1 ? -1 : buffer.indexOf(0x0a, nul);
      if (end === -1) break;
      const match = parseRecord(buffer.toString('utf8', at, nul), buffer.toString('utf8', nul + 1, end));
      if (match !== null) matches.push(match);
      at = end + 1;
    }
    this.#pending = buffer.subarray(at);
    return matches;
  }
}

function parseRecord(before: string, rest: string): GrepMatch | null {
  const path = before.replace(BINARY_WARNING, '');
  if (hasControlCharacter(path)) return null;
  const head = /^(\d+)([:-])/.exec(rest);
  if (head === null) return null;
  return {
    path: path.startsWith('./') ? path.slice(2) : path,
    line: Number(head[1]),
    text: rest.slice(head[0].length).replace(/\r$/, '').slice(0, MAX_LINE_CHARS),
    context: head[2] === '-',
  };
}
