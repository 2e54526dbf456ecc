import type { EventOf, FluffyEvent } from '../../contracts/session/events.ts';
import type { CardFacts } from '../../contracts/review/review-card.ts';
import { OBSERVATION_TITLES } from '../../contracts/review/proof.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { callWords, outcomeWords } from '../../lib/text/call-words.ts';
import { policyWords } from '../../lib/text/policy-words.ts';
import { modelWords } from '../../lib/text/model-words.ts';
import { limitWords } from '../../lib/limit-words.ts';
import { optionLines } from '../../lib/text/question-words.ts';
import { todoLines } from '../../lib/text/todo-words.ts';
import { errorLines } from './describe-error.ts';
import { toolInputLines } from './tool-input-lines.ts';

/** The lines that people read about an event, untrusted text; empty if they need not see it. The model's text is printed as it arrives, not here. */
export function eventLines(event: FluffyEvent, verbose: boolean): readonly string[] {
  switch (event.type) {
    case 'session.started':
      return [startLine(event)];
    case 'state.changed':
      return [`[${event.to}]${event.guard === undefined ? '' : ` ${event.guard}`}`];
    case 'mode.changed':
      return [`mode ${event.to}`];
    case 'model.changed':
      return [`model ${modelWords(event)}`];
    case 'message.user':
      return [`> ${event.text}`];
    case 'thinking.done':
      return verbose
        ? event.text
            .trimEnd()
            .split('\n')
            .map((line) => `  … ${line}`)
        : [];
    case 'text.delta':
    case 'text.done':
      return [];
    case 'tool.started':
      return verbose ? startedLines(event) : [];
    case 'tool.finished':
      return [
        `  ${event.ok && event.command_failed !== true ? '✓' : '✗'} ${event.tool} ${outcomeWords(event)} (${formatMs(event.duration_ms)})`,
      ];
    case 'proof.started':
    case 'proof.progress':
      return [];
    case 'proof.finished':
      return [`  ${OBSERVATION_TITLES[event.observation]}: ${event.detail} (${formatMs(event.duration_ms)})`];
    case 'policy.decision':
      return (event.decision === 'allowed' || event.decision === 'allowed_by_token') && !verbose
        ? []
        : [`  policy ${policyWords(event)}`];
    case 'test.progress':
      return [`  tests: running for ${formatMs(event.elapsed_ms)} of at most ${formatMs(event.timeout_ms)}`];
    case 'test.counts':
    case 'packages.fetched':
      return [];
    case 'test.finished':
      return [
        `  tests: ${event.outcome}, ${event.passed} passed, ${event.failed} failed${event.skipped > 0 ? `, ${event.skipped} skipped` : ''}`,
        ...(event.why?.split('\n').map((line) => `    ${line}`) ?? []),
      ];
    case 'review.requested':
      return reviewLines(event);
    case 'review.decided':
      return [decidedLine(event)];
    case 'question.asked':
      return [event.question, ...optionLines(event).map((line) => `  ${line}`)].flatMap((text) => text.split('\n'));
    case 'todo.updated':
      return todoLines(event.items).map((line) => `  ${line}`);
    case 'context.compacted':
      return [`  context compacted: ${event.before_tokens} -> ${event.after_tokens} tokens`];
    case 'usage':
      return verbose ? [`  tokens: ${event.input_tokens} in, ${event.output_tokens} out`] : [];
    case 'notice':
      return [
        event.level === 'warn'
          ? `  warning: ${event.what}: ${event.why} (${event.fix})`
          : `  note: ${event.what}: ${event.why}`,
      ];
    case 'error':
      return errorLines(event);
    case 'session.finished':
      return [finishedLine(event)];
    default:
      return assertNever(event);
  }
}

function startedLines(event: EventOf<'tool.started'>): readonly string[] {
  const words = callWords(event);
  return [`  ${event.tool} ${words}`.trimEnd(), ...toolInputLines(event, words)];
}

function reviewLines(event: EventOf<'review.requested'>): readonly string[] {
  if (event.reasons.length === 0) return [];
  return [
    `Review ${event.review_id} (risk ${event.risk})`,
    ...event.reasons.map((reason) => `  - ${reason}`),
    ...(event.facts === undefined ? [] : gradeOf(event.facts)),
    ...(event.message ?? '').split('\n'),
    ...event.diff.split('\n'),
  ];
}

/** The same facts as on the card. */
function gradeOf({ grade, proof }: CardFacts): readonly string[] {
  return [
    grade.verified ? '  Grade: verified' : `  Grade: not verified, ${grade.reasons.join('; ')}`,
    ...proof.map(({ title, outcome, detail }) => `  ${title}: ${outcome}, ${detail}`),
  ];
}

function finishedLine(event: EventOf<'session.finished'>): string {
  const commit = event.commit === undefined ? '' : ` Commit ${event.commit.slice(0, 10)}.`;
  const files = event.files_changed.length === 0 ? '' : ` ${event.files_changed.length} files changed.`;
  const word =
    event.status === 'committed' || event.status === 'done'
      ? 'Done.'
      : `Ended: ${event.status} (exit ${event.exit_code}).`;
  return `${word}${commit}${files} ${formatMs(event.duration_ms)}`;
}

/** `340ms`, `2.4s`. */
export function formatMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${(ms / 1000).toFixed(1)}s`;
}

function startLine({ mode, model, session_id: id, limits }: EventOf<'session.started'>): string {
  const words = limitWords(limits);
  return `fluffy · ${mode} · ${model} · session ${id ?? ''}${words === null ? '' : ` · at most ${words}`}`;
}

function decidedLine({ by, decision, edited, tests }: EventOf<'review.decided'>): string {
  if (by === 'policy') return 'Auto-approved: tests pass, nothing sensitive, within the size limit';
  if (edited === true) return 'Edited by a human: the tests run again';
  if (tests === true) return 'Tests were requested by a human: the change waits for them';
  return `Review ${decision} by a human`;
}
