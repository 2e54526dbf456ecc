import { OBSERVATION_TITLES } from '../../contracts/proof.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { describeError } from './describe-error.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../lib/escape-terminal.ts';
import type { FluffyEvent, SessionFinished } from '../../contracts/events.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { Output } from '../output/output.ts';
import type { OutputFormat } from '../run-task.ts';

export interface Printer {
  event(event: FluffyEvent): void;
  /** Something the CLI itself has to say while working. */
  progress(text: string): void;
  error(error: UserFacingError): void;
  /** How it all ended: called once, last, whether the kernel's event has been through `event` or not. */
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
    output.stdout(`${escapeJsonForTerminal(JSON.stringify(event))}\n`);
  };
  return {
    event: print,
    progress: () => undefined,
    error: (error) => output.stderr(describeError(error)),
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
    error: (error) => output.stderr(describeError(error)),
    finished: (event) => output.stdout(`${escapeJsonForTerminal(JSON.stringify(event))}\n`),
  };
}

/** People read stderr while it works and the answer on stdout. Everything that comes from outside is escaped. */
function textPrinter(output: Output, verbose: boolean): Printer {
  let inText = false;
  let answer: string | null = null;
  const line = (text: string) => {
    if (inText) output.stderr('\n');
    inText = false;
    output.stderr(`${text}\n`);
  };
  return {
    progress: (text) => line(`  ${escapeTerminal(text)}`),
    error: (error) => line(describeError(error).trimEnd()),
    event: (event) => {
      if (event.type === 'text.delta') {
        inText = true;
        output.stderr(escapeTerminal(event.text, { multiline: true }));
        return;
      }
      const text = describeEvent(event, verbose);
      if (text !== null) line(text);
      // What an end is worth saying on stdout is known when the last one has come.
      if (event.type === 'session.finished') answer = event.summary;
    },
    finished: () => {
      if (answer !== null) output.stdout(`${escapeTerminal(answer, { multiline: true })}\n`);
    },
  };
}

/** A line for people, or null for what they need not see. */
export function describeEvent(event: FluffyEvent, verbose: boolean): string | null {
  const safe = (text: string) => escapeTerminal(text);
  switch (event.type) {
    case 'session.started':
      return `fluffy · ${event.mode} · ${safe(event.model)} · session ${event.session_id ?? ''}`;
    case 'state.changed':
      return `[${event.to}]${event.guard === undefined ? '' : ` ${safe(event.guard)}`}`;
    case 'mode.changed':
      return `mode ${event.to}`;
    case 'message.user':
      return `> ${safe(event.text)}`;
    case 'text.delta':
      return null;
    case 'text.done':
      return '';
    case 'tool.started':
      return verbose ? `  ${event.tool} ${safe(JSON.stringify(event.input)).slice(0, 200)}` : null;
    case 'tool.finished':
      return `  ${event.ok ? '✓' : '✗'} ${event.tool} ${safe(outcomeOf(event)).slice(0, 200)} (${formatMs(event.duration_ms)})`;
    case 'policy.decision':
      return (event.decision === 'allowed' || event.decision === 'allowed_by_token') && !verbose
        ? null
        : `  policy ${event.decision}: ${event.syscall} ${safe(event.target ?? '')} ${safe(event.reason)}`;
    case 'test.finished':
      return `  tests: ${event.outcome}, ${event.passed} passed, ${event.failed} failed${event.skipped > 0 ? `, ${event.skipped} skipped` : ''}`;
    case 'proof.started':
      return null;
    case 'proof.finished':
      return `  ${OBSERVATION_TITLES[event.observation]}: ${safe(event.detail)} (${formatMs(event.duration_ms)})`;
    case 'review.requested':
      return reviewCard(event);
    case 'review.decided':
      return event.by === 'policy'
        ? 'Auto-approved: tests pass, nothing sensitive, within the size limit'
        : `Review ${event.decision} by a human`;
    case 'context.compacted':
      return `  context compacted: ${event.before_tokens} -> ${event.after_tokens} tokens`;
    case 'usage':
      return verbose ? `  tokens: ${event.input_tokens} in, ${event.output_tokens} out` : null;
    case 'notice':
      return `  ${event.level === 'warn' ? 'warning' : 'note'}: ${safe(event.what)}: ${safe(event.why)}${event.level === 'warn' ? ` (${safe(event.fix)})` : ''}`;
    case 'error':
      return describeError(event).trimEnd();
    case 'session.finished':
      return finishedLine(event);
    default:
      return assertNever(event);
  }
}

/** Of an error, people read what it is; the model gets the whole message with what to do instead. */
function outcomeOf(event: Extract<FluffyEvent, { type: 'tool.finished' }>): string {
  if (event.error === undefined) return event.summary;
  const first = /^.*?[.;](?=\s|$)/s.exec(event.error.message)?.[0] ?? event.error.message;
  return `${event.error.code}: ${first}`;
}

function reviewCard(event: Extract<FluffyEvent, { type: 'review.requested' }>): string | null {
  if (event.reasons.length === 0) return null;
  const safe = (text: string) => escapeTerminal(text, { multiline: true });
  return [
    `Review ${event.review_id} (risk ${event.risk})`,
    ...event.reasons.map((reason) => `  - ${safe(reason)}`),
    safe(event.message ?? ''),
    safe(event.diff),
  ].join('\n');
}

function finishedLine(event: Extract<FluffyEvent, { type: 'session.finished' }>): string {
  const commit = event.commit === undefined ? '' : ` Commit ${event.commit.slice(0, 10)}.`;
  const files = event.files_changed.length === 0 ? '' : ` ${event.files_changed.length} files changed.`;
  const word =
    event.status === 'committed' || event.status === 'done'
      ? 'Done.'
      : `Ended: ${event.status} (exit ${event.exit_code}).`;
  return `${word}${commit}${files} ${formatMs(event.duration_ms)}`;
}

export function formatMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`;
}
