import type { FluffyEvent } from '../../../contracts/session/events.ts';

/**
 * An event for a person who looks for a fault: what ran, how it ended, what failed. It contains no text of the person, the model, a tool or a file;
 * null for an event without other facts.
 */
export function outlineOf(event: FluffyEvent): string | null {
  switch (event.type) {
    case 'session.started':
      return `started: ${event.mode}, ${event.model}`;
    case 'state.changed':
      return `state ${event.from} -> ${event.to} (${event.trigger})`;
    case 'mode.changed':
      return `mode ${event.from} -> ${event.to}, by ${event.by}`;
    case 'model.changed':
      return `model ${event.from} -> ${event.to}, by ${event.by}`;
    case 'message.user':
      return `message of ${event.text.length} characters`;
    case 'text.done':
      return `answer of ${event.text.length} characters`;
    case 'tool.finished':
      return `${event.tool} ${event.ok ? 'ok' : `failed: ${event.error?.code ?? 'no code'}`}, ${event.duration_ms} ms`;
    case 'test.finished':
      return `tests ${event.outcome}: ${event.passed} passed, ${event.failed} failed, ${event.skipped} skipped`;
    case 'proof.finished':
      return `proof ${event.observation} ${event.ok ? 'held' : 'did not hold'}, ${event.duration_ms} ms`;
    case 'review.requested':
      return `review ${event.kind}, risk ${event.risk}`;
    case 'review.decided':
      return `review ${event.decision} by ${event.by}`;
    case 'context.compacted':
      return `context compacted: ${event.before_tokens} -> ${event.after_tokens} tokens`;
    case 'notice':
    case 'error':
      return `${event.level} ${event.code}: ${event.what}: ${event.why}`;
    case 'session.finished':
      return `finished: ${event.status}, exit ${event.exit_code}, ${event.duration_ms} ms`;
    case 'policy.decision':
    case 'proof.started':
    case 'proof.progress':
    case 'question.asked':
    case 'test.progress':
    case 'test.counts':
    case 'packages.fetched':
    case 'text.delta':
    case 'thinking.done':
    case 'todo.updated':
    case 'tool.started':
    case 'usage':
      return null;
  }
}
