import stringWidth from 'string-width';
import type { FluffyEvent } from '../../contracts/session/events.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { callWords, outcomeWords } from '../../lib/text/call-words.ts';
import { capText } from '../../lib/text/cap-text.ts';
import { modelWords } from '../../lib/text/model-words.ts';
import { policyWords } from '../../lib/text/policy-words.ts';
import { decidedAs } from '../../lib/text/review-words.ts';
import { optionLines } from '../../lib/text/question-words.ts';
import { todoProgress } from '../../lib/text/todo-words.ts';
import { forkWords, sessionTree } from './session-tree.ts';
import type { SessionDetails, SessionSummary } from './read-sessions.ts';
import { plural } from '../../lib/text/plural.ts';

const TITLE_LENGTH = 60;
const HEADINGS = ['SESSION', 'UPDATED', 'MODE', 'STATE', 'STATUS', 'COMMITS', 'TITLE'];

/**
 * Sessions as a table, without a final newline. Nothing in a title reaches the terminal as anything but letters. Where the table is wider than `columns`,
 * title and number of commits are below the row of their session. `hidden`: number of archived sessions that are not given.
 */
export function formatSessionList(sessions: readonly SessionSummary[], columns = Infinity, hidden = 0): string {
  if (sessions.length === 0) {
    return hidden === 0
      ? 'No sessions yet.'
      : `No session except ${plural(hidden, 'archived one')}: fluffy session list --all shows them.`;
  }
  const rows = sessionTree(sessions).map(({ session, depth }) => {
    const { id, updated, mode, state, commits, title, forked_from } = session;
    const fork = forked_from === null ? '' : ` · ${forkWords(forked_from)}`;
    return [
      id,
      formatTime(updated),
      mode,
      state,
      statusWords(session),
      String(commits.length),
      `${depth === 0 ? '' : `${'  '.repeat(depth - 1)}└ `}${capText(title, TITLE_LENGTH)}${fork}`,
    ];
  });
  const table = formatTable([HEADINGS, ...rows]);
  return table.split('\n').every((line) => stringWidth(line) <= columns) ? table : inTwoRows(rows);
}

function inTwoRows(rows: readonly (readonly string[])[]): string {
  const shown = HEADINGS.slice(0, -2);
  const [heading = '', ...lines] = formatTable([shown, ...rows.map((row) => row.slice(0, shown.length))]).split('\n');
  const about = rows.map((row) => {
    const [commits = '', title = ''] = row.slice(shown.length);
    return `  ${escapeTerminal(title)}${commits === '0' ? '' : ` · commits: ${commits}`}`;
  });
  return [heading, ...lines.flatMap((line, index) => [line, about[index] ?? ''])].join('\n');
}

/** One session for people: its facts, then its events. */
export function formatSession(session: SessionDetails): string {
  const facts = [
    ['title', session.title],
    ['created', formatTime(session.created)],
    ['updated', formatTime(session.updated)],
    ['mode', session.mode],
    ['state', session.state],
    ['status', statusWords(session)],
    ...(session.forked_from === null
      ? []
      : [['forked from', `${session.forked_from.session}, ${forkWords(session.forked_from)}`]]),
    ['commits', session.commits.length === 0 ? 'none' : session.commits.join(' ')],
  ];
  const happened = session.events.flatMap((event, index, events) => {
    const [first = '', ...rest] = describeEvent(event, events, index).trim().split('\n');
    if (first === '') return [];
    return [[formatTime(event.ts), first], ...rest.map((line) => ['', line])];
  });
  return [escapeTerminal(session.id), formatTable(facts), '', formatTable(happened)].join('\n').trimEnd();
}

function statusWords({ status, archived }: Pick<SessionSummary, 'status' | 'archived'>): string {
  return archived && status !== 'archived' ? `${status}, archived` : status;
}

function formatTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => escapeTerminal(cell)));
  const widths: number[] = [];
  for (const row of cells) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell))));
  }
  return cells
    .map((row) => row.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Returns '' for events that get no row. `index` is the place of the event in `events`. */
function describeEvent(event: FluffyEvent, events: readonly FluffyEvent[], index: number): string {
  switch (event.type) {
    case 'session.started':
      return `started in ${event.mode} mode with ${event.model}`;
    case 'state.changed':
      return `${event.from} -> ${event.to} (${event.trigger})`;
    case 'mode.changed':
      return `mode ${event.from} -> ${event.to}, by ${event.by}`;
    case 'model.changed':
      return `model ${event.from} -> ${modelWords(event)}, by ${event.by}`;
    case 'message.user':
      return `> ${event.text}`;
    case 'thinking.done':
      return `thought for ${Math.round(event.duration_ms / 1000)} s`;
    case 'text.done':
      return event.text;
    case 'tool.started':
      return `${event.tool} ${callWords(event)} …`;
    case 'tool.finished':
      return `${event.tool} ${event.ok ? 'ok' : 'failed'}: ${outcomeWords(event)}`;
    case 'policy.decision':
      return `policy ${policyWords(event)}`;
    case 'test.finished':
      return `tests ${event.outcome}: ${event.passed} passed, ${event.failed} failed, ${event.skipped} skipped`;
    case 'proof.finished':
      return `proof ${event.observation} ${event.ok ? 'held' : 'did not hold'}: ${event.detail}`;
    case 'review.requested':
      return `review ${event.review_id} requested (${event.kind}, risk ${event.risk})`;
    case 'review.decided':
      return `review ${event.review_id} ${decidedAs(event)} by ${event.by}`;
    case 'question.asked':
      return `asked: ${[event.question, ...optionLines(event)].join(' ')}`;
    case 'todo.updated':
      return `steps: ${todoProgress(event.items) ?? 'none'}`;
    case 'context.compacted':
      return `context compacted: ${event.before_tokens} -> ${event.after_tokens} tokens`;
    case 'notice':
    case 'error':
      return `${event.level}: ${event.what}: ${event.why}`;
    case 'session.finished':
      return `finished: ${event.status}, exit ${event.exit_code}${isSaid(event.summary, events, index) ? '' : `: ${event.summary}`}`;
    case 'proof.started':
    case 'proof.progress':
    case 'test.progress':
    case 'test.counts':
    case 'packages.fetched':
    case 'text.delta':
    case 'usage':
      return '';
  }
}

/** Whether the summary is equal to the model's last text before the event at `index`. */
function isSaid(summary: string, events: readonly FluffyEvent[], index: number): boolean {
  const said = events.slice(0, index).findLast((event) => event.type === 'text.done');
  return said?.text.trim() === summary.trim();
}

/** ISO 8601 in UTC to the second, or the bare number when it is no moment of the calendar. */
function formatTime(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? String(timestamp) : `${date.toISOString().slice(0, 19)}Z`;
}
