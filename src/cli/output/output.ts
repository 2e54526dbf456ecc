import { Writable } from 'node:stream';
import type { Painter } from '../../tui/text/paint.ts';
import type { Row } from '../../tui/text/span.ts';

/** The output of a command. Text may contain anything: an implementation must escape what a terminal would interpret. */
export interface Output {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Width of the terminal behind standard output, in cells; null without a terminal. */
  readonly columns: number | null;
  /** The same for standard error. */
  readonly errorColumns: number | null;
  /** Rows in colours to standard output, through a pager if its terminal cannot show them at once. */
  rows(rows: readonly Row[], painter: Painter): Promise<void>;
  /**
   * Resolves when the reader has taken everything written so far: a million lines must not accumulate in memory. Throws FluffyError `output_lost` if
   * standard output can no longer be written.
   */
  drained(): Promise<void>;
}

/** The same as a stream, for code that writes to one. */
export function asStream(output: Output, to: 'stdout' | 'stderr'): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      output[to](String(chunk));
      output.drained().then(() => done(), done);
    },
  }).on('error', () => undefined);
}
