import { firstText, lastText } from '../../lib/text/first-last.ts';
import { firstKey } from '../keymap/bindings.ts';
import { capText } from '../../lib/text/cap-text.ts';
import { KEY_HELP, keyHelpRows } from '../menu/key-help.ts';
import { menuRows } from '../menu/menu-rows.ts';
import { formatCost, formatElapsed, formatTokens } from './format-amount.ts';
import { plural } from '../../lib/text/plural.ts';
import { fitParts } from './fit-parts.ts';
import { layoutPrompt, promptLabel } from '../composer/layout-prompt.ts';
import type { PromptLayout } from '../composer/layout-prompt.ts';
import { readWords } from './read-words.ts';
import type { LiveRow } from './live-row.ts';
import { safeLine } from './safe-text.ts';
import { foldReads } from './reduce/say.ts';
import type { SafeText } from './safe-text.ts';
import { pendingLines } from './text-stream.ts';
import type { ViewState } from './view-state.ts';
import { busyWords } from '../live/busy-words.ts';
import { elapsedWords } from '../live/proving-words.ts';
import { workflowStrip } from '../live/workflow-strip.ts';
import { INDENT } from '../scrollback/said-rows.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';

export interface LiveRegion {
  readonly rows: readonly LiveRow[];
  readonly prompt: PromptLayout;
  readonly showStatus: boolean;
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A region that is lower than a small terminal survives when the terminal becomes small. */
const MAX_ROWS = 14;
const MAX_PROMPT_ROWS = 6;
const MAX_TOOLS = 4;
const MAX_QUEUED = 3;
const BLANK: LiveRow = { kind: 'blank' };
const MARGIN = { first: [own(INDENT)], rest: [own(INDENT)], breakAt: 'blank' } as const;

/**
 * The part below the scrollback. It is never as high as the terminal, because then it could only be redrawn by clearing the screen. If there is too
 * little room, the incomplete text is shortened first, then the least important rows.
 */
export function liveRegion(view: ViewState, size: Size, nowMs: number): LiveRegion {
  const room = Math.max(1, Math.min(MAX_ROWS, size.rows - 2));
  const promptRows = Math.max(1, Math.min(MAX_PROMPT_ROWS, room - 2));
  const prompt = layoutPrompt(promptLabel(view), view.composer, size.columns, promptRows);
  const showStatus = room > prompt.rows.length;
  const strip = stripRows(view, size, nowMs);
  const left = room - prompt.rows.length - (showStatus ? 1 : 0) - strip.length;
  const below = [
    ...readRows(view),
    ...toolRows(view, size.columns),
    ...busyRows(view, nowMs),
    ...queuedRows(view, size.columns),
    ...reviewRows(view, size.columns),
    ...hintRows(view, size.columns),
    ...tipRows(view, size.columns),
    ...keyRows(view, size.columns),
    ...menuRows(view, size.columns),
  ];
  const text = textRows(view, size.columns);
  const gap = text.length > 0 && view.stream.fence !== null ? [] : [BLANK];
  const kept = below.slice(0, Math.max(0, left - 1));
  const textRoom = Math.max(0, left - kept.length - gap.length - 1);
  const shownText = textRoom === 0 ? [] : text.slice(-textRoom);
  const body = [...shownText, ...kept];
  const rows = body.length === 0 ? [BLANK] : [...gap, ...body, BLANK];
  return { rows: [...rows.slice(-Math.max(0, left)).slice(0, Math.max(0, left)), ...strip], prompt, showStatus };
}

/** A lower terminal has no room for it. */
const STRIP_FROM_ROWS = 12;

function stripRows(view: ViewState, size: Size, nowMs: number): LiveRow[] {
  const rows = size.rows < STRIP_FROM_ROWS ? [] : workflowStrip(view, size, nowMs);
  return rows
    .flatMap((row) => hangingRows(row, { first: [], rest: [own(INDENT)], breakAt: 'blank' }, size.columns))
    .map((row): LiveRow => ({ kind: 'strip', row }));
}

function textRows(view: ViewState, columns: number): LiveRow[] {
  return pendingLines(view.stream).flatMap((text) =>
    hangingRows([{ text, role: 'plain' }], MARGIN, columns - 1).map((row): LiveRow => ({ kind: 'said', row })),
  );
}

function readRows({ reads }: ViewState): LiveRow[] {
  const folded = foldReads(reads);
  if (folded === null) return [];
  const names = folded.kind === 'reads' ? folded.names : reads.map(({ name }) => name);
  return [{ kind: 'reads', text: safeLine(readWords(names)) }];
}

function toolRows({ tools }: ViewState, columns: number): LiveRow[] {
  const shown: LiveRow[] = tools.slice(0, MAX_TOOLS).map((tool) => ({ kind: 'tool', tool }));
  const more = tools.length - shown.length;
  return more > 0 ? [...shown, ...wrapped(safeLine(`and ${more} more`), columns)] : shown;
}

/** With the elapsed time, if it is long. */
function busyRows(view: ViewState, nowMs: number): LiveRow[] {
  const words = busyWords(view);
  if (words === null) return [];
  const sinceMs = view.busy?.words === words ? view.busy.sinceMs : nowMs;
  return [{ kind: 'busy', text: safeLine([words, ...elapsedWords(sinceMs, nowMs)].join(' · ')) }];
}

function queuedRows({ joining, queue }: ViewState, columns: number): LiveRow[] {
  const waiting = [...joining, ...queue];
  const rows: LiveRow[] = waiting
    .slice(0, MAX_QUEUED)
    .map((text) => ({ kind: 'queued', text: safeLine(firstText(text.split('\n'))) }));
  const more = waiting.length - rows.length;
  return more > 0 ? [...rows, ...wrapped(safeLine(`and ${plural(more, 'more task')} queued`), columns)] : rows;
}

function reviewRows({ card, bindings }: ViewState, columns: number): LiveRow[] {
  if (card === null || card.deciding) return [];
  const edit = card.kind === 'merge' ? '  /edit FILE' : '';
  const key = firstKey(bindings, 'open');
  const open = key === null ? '' : `   ${key}: file by file`;
  const text = safeLine(`A review waits: /approve${edit}  /reject "why"${open}`);
  const rows = hangingRows([{ text, role: 'strong' }], { first: [], rest: [own(INDENT)], breakAt: 'blank' }, columns);
  return rows.map((row): LiveRow => ({ kind: 'review', row }));
}

function keyRows({ composer, bindings }: ViewState, columns: number): LiveRow[] {
  if (composer.text !== KEY_HELP || composer.search !== null) return [];
  return keyHelpRows({ bindings, columns }).map((row): LiveRow => ({ kind: 'review', row }));
}

function hintRows({ hint }: ViewState, columns: number): LiveRow[] {
  return hint === null ? [] : wrapped(hint, columns);
}

/** Shown if there is no other message and nothing is typed. */
function tipRows({ tip, hint, run, card, composer }: ViewState, columns: number): LiveRow[] {
  const isQuiet = hint === null && run.kind === 'idle' && card === null;
  if (tip === null || !isQuiet || composer.text !== '' || composer.search !== null) return [];
  return hangingRows([{ text: tip, role: 'dim' }], MARGIN, columns).map((row): LiveRow => ({ kind: 'hint', row }));
}

/** The advice of a hint is at its end, so it is wrapped and never cut. */
function wrapped(text: SafeText, columns: number): LiveRow[] {
  return hangingRows([{ text, role: 'warn' }], MARGIN, columns).map((row): LiveRow => ({ kind: 'hint', row }));
}

/** Maximum characters of the project's name. */
const MAX_PROJECT = 24;

/**
 * The line below the prompt: place, model, cost so far, and the most important key. If there is little room, the least important part is dropped
 * first.
 */
export function statusLine(view: ViewState, nowMs: number, columns: number): SafeText {
  const { meter, run, card } = view;
  const tokens = meter.inputTokens + meter.outputTokens;
  const untilMs = card?.waitsSinceMs ?? nowMs;
  const workedMs = meter.workedMs + (run.kind === 'running' ? Math.max(0, untilMs - run.sinceMs - run.waitedMs) : 0);
  const percent = Math.round((meter.contextLeft ?? 1) * 100);
  return fitParts(
    [
      { text: view.composer.vim?.mode.toUpperCase() ?? '', weight: 9 },
      { text: capText(lastText(view.project.split('/')), MAX_PROJECT), weight: 5 },
      { text: shortModel(view.model), weight: 4 },
      { text: `${formatTokens(tokens)} tokens`, weight: 2 },
      { text: meter.costUsd === null || tokens === 0 ? '' : formatCost(meter.costUsd), weight: 6 },
      { text: meter.contextLeft === null ? '' : `${percent}% context left`, weight: 7 },
      { text: formatElapsed(workedMs), weight: 3 },
      { text: keyThatMatters(view), weight: 8 },
    ],
    columns,
  );
}

function keyThatMatters({ run, card }: Pick<ViewState, 'run' | 'card'>): string {
  if (run.kind === 'idle') return '/help';
  if (run.interrupting) return 'ctrl-c twice leaves';
  return card === null ? 'esc interrupts' : 'ctrl-c interrupts';
}

/** Without the vendor, or the folders of a replay. */
function shortModel(model: string): string {
  return model.startsWith('replay/') ? `replay/${lastText(model.split('/'))}` : model.slice(model.indexOf('/') + 1);
}
