/**
 * Reporter for node:test, run by the runner's own process inside a test sandbox. Writes one JSON object a line; the last one is
 * `{"event":"end"}`, so that a report that was cut off is noticed. The kernel uses nothing of it unless its canaries are in it.
 */
interface ReporterEvent {
  readonly type: string;
  readonly data?: EventData;
}

interface EventData {
  readonly name?: string;
  readonly nesting?: number;
  readonly file?: string;
  readonly skip?: boolean | string;
  readonly todo?: boolean | string;
  readonly message?: string;
  readonly details?: {
    readonly duration_ms?: number;
    readonly type?: string;
    readonly error?: { readonly failureType?: string; readonly message?: string; readonly cause?: unknown };
  };
}

const MAX_TEXT = 4000;

function text(value: unknown): string {
  return String(value).slice(0, MAX_TEXT);
}

/** `cause` crosses a process boundary and may be anything that was thrown. */
function cause(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return { message: text(value) };
  const { name, code, message, stack } = value as Record<string, unknown>;
  return {
    ...(name === undefined ? {} : { name: text(name) }),
    ...(code === undefined ? {} : { code: text(code) }),
    message: text(message ?? value),
    ...(stack === undefined ? {} : { stack: text(stack) }),
  };
}

function record(event: ReporterEvent): Record<string, unknown> | null {
  const data = event.data ?? {};
  switch (event.type) {
    case 'test:start':
      return { event: 'start', name: data.name, nesting: data.nesting };
    case 'test:pass':
    case 'test:fail': {
      const error = data.details?.error;
      return {
        event: event.type === 'test:pass' ? 'pass' : 'fail',
        name: data.name,
        nesting: data.nesting,
        file: data.file,
        type: data.details?.type,
        duration_ms: data.details?.duration_ms,
        ...(data.skip !== undefined && data.skip !== false ? { skip: true } : {}),
        ...(data.todo !== undefined && data.todo !== false ? { todo: true } : {}),
        ...(error === undefined ? {} : { failure_type: error.failureType, cause: cause(error.cause ?? error) }),
      };
    }
    case 'test:stderr':
      return { event: 'stderr', file: data.file, text: text(data.message) };
    default:
      return null;
  }
}

export default async function* reporter(events: AsyncIterable<ReporterEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = record(event);
    if (line !== null) yield `${JSON.stringify(line)}\n`;
  }
  yield '{"event":"end"}\n';
}
