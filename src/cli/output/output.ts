import { Writable } from 'node:stream';
import type { Painter } from '../../tui/text/paint.ts';
import type { Row } from '../../tui/text/span.ts';

/** Where a command writes. Text may hold anything: whoever implements this escapes what a terminal would act on. */
export interface Output {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Of the terminal behind standard output, in cells; null where there is none. */
  readonly columns: number | null;
  /** The same of the terminal behind standard error. */
  readonly errorColumns: number | null;
  /** Rows in colours to standard output, through a pager where they are more than its terminal shows at once. */
  rows(rows: readonly Row[], painter: Painter): Promise<void>;
  /**
   * Resolves when the reader has taken what was written so far: a million lines must not pile up in memory. Throws FluffyError `output_lost` when standard
   * output can no longer be written.
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
