import { assertNever } from '../../lib/assert-never.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { jsonLine } from '../../lib/json-line.ts';
import type { FluffyEvent, SessionFinished } from '../../contracts/session/events.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { Output } from '../output/output.ts';
import { wordsKept } from '../output/words-kept.ts';
import type { OutputFormat } from '../run-arguments.ts';
import { errorLines } from './describe-error.ts';
import { eventLines } from './event-lines.ts';

export interface Printer {
  event(event: FluffyEvent): void;
  /** A message of the CLI itself during the work. */
  progress(text: string): void;
  error(error: UserFacingError): void;
  /** The result: called once, last, whether or not the kernel's event was passed to `event`. */
  finished(event: FinishedEvent): void;
}

/** `session.finished` as `json` prints it. */
export type FinishedEvent = SessionFinished & {
  readonly session_id: string | null;
  readonly seq: number;
  readonly ts: number;
};

export function printerFor(format: OutputFormat, output: Output, verbose: boolean): Printer {
  switch (format) {
    case 'text':
      return textPrinter(output, verbose);
    case 'json':
      return jsonPrinter(output);
    case 'stream-json':
      return streamPrinter(output);
    default:
      return assertNever(format);
  }
}

/** One JSON object a line, LF only. */
function streamPrinter(output: Output): Printer {
  let last: FluffyEvent | FinishedEvent | null = null;
  const print = (event: FluffyEvent | FinishedEvent) => {
    last = event;
    output.stdout(jsonLine(event));
  };
  return {
    event: print,
    progress: () => undefined,
    error: (error) => output.stderr(`${errorLines(error).join('\n')}\n`),
    finished: (event) => {
      if (last !== event) print(event);
    },
  };
}

/** One object, at the end. */
function jsonPrinter(output: Output): Printer {
  return {
    event: () => undefined,
    progress: () => undefined,
    error: (error) => output.stderr(`${errorLines(error).join('\n')}\n`),
    finished: (event) => output.stdout(jsonLine(event)),
  };
}

/** People read stderr during the work and the answer on stdout. */
function textPrinter(output: Output, verbose: boolean): Printer {
  /** The line that the model is writing; it is printed when it is complete, so that it is not split and nothing comes between. */
  let pending = '';
  let answer: string | null = null;
  const print = (lines: readonly string[]) => {
    const rows = lines.flatMap((line) => wordsKept(safeRow(line), output.errorColumns));
    if (rows.length > 0) output.stderr(`${rows.join('\n')}\n`);
  };
  const flush = () => {
    if (pending !== '') print([pending]);
    pending = '';
  };
  const say = (lines: readonly string[]) => {
    if (lines.length > 0) flush();
    print(lines);
  };
  return {
    progress: (text) => say([`  ${text}`]),
    error: (error) => say(errorLines(error)),
    event: (event) => {
      if (event.type === 'text.delta') {
        const lines = (pending + event.text).split('\n');
        pending = lines.pop() ?? '';
        print(lines);
        return;
      }
      if (event.type === 'text.done') flush();
      say(eventLines(event, verbose));
      // The last end decides what is printed on stdout.
      if (event.type === 'session.finished') answer = event.summary;
    },
    finished: () => {
      flush();
      if (answer !== null) output.stdout(`${answer}\n`);
    },
  };
}

/** One row: characters that would start another one, or control the terminal, are escaped. Tabs stay. */
function safeRow(line: string): string {
  return escapeTerminal(line, { multiline: true }).replaceAll('\n', '\\n');
}
