import { lastText } from '../../../lib/text/first-last.ts';
import { safeLine } from '../../../tui/store/safe-text.ts';
import type { SafeText } from '../../../tui/store/safe-text.ts';
import type { ViewState } from '../../../tui/store/view-state.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { NoticeSetting } from './notice-setting.ts';
import type { Place } from './terminal-modes.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** After a shorter run no notice is needed. */
const LONG_RUN_MS = 10_000;
const SAVE_TITLE = '\x1b[22;0t';
const RESTORE_TITLE = '\x1b[23;0t';

export interface NoticeParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  readonly write: (bytes: string) => unknown;
  readonly env: Environment;
  readonly setting: NoticeSetting;
  readonly place: () => Place;
}

/**
 * Informs a person who does other things, through the terminal: its title, and a bell with a notification when a person is needed or a long run has
 * ended. Returns a function that ends this and restores the title.
 */
export function watchForNotices({ store, nowMs, write, env, setting, place }: NoticeParts): () => void {
  let before: ViewState | null = null;
  let title = '';
  write(SAVE_TITLE);
  const look = (): void => {
    const view = store.published();
    const next = titleOf(view);
    if (next !== title) write(`\x1b]0;${next}\x07`);
    title = next;
    const news = before === null ? null : newsOf(before, view, nowMs());
    before = view;
    const isWanted = setting === 'always' || (setting === 'away' && place() !== 'in-front');
    if (news !== null && isWanted) write(`\x07${notification(safeLine(`fluffy: ${news}`), env)}`);
  };
  look();
  const stop = store.subscribe(look);
  return () => {
    stop();
    write(RESTORE_TITLE);
  };
}

/** In the form that the terminal supports: OSC 99 of kitty, OSC 777 of foot, rxvt and VTE terminals, else OSC 9. */
export function notification(text: SafeText, env: Environment): string {
  const term = env['TERM'] ?? '';
  if (term === 'xterm-kitty' || env['KITTY_WINDOW_ID'] !== undefined) return `\x1b]99;;${text}\x1b\\`;
  if (/^(?:foot|rxvt)/.test(term) || env['VTE_VERSION'] !== undefined) return `\x1b]777;notify;fluffy;${text}\x07`;
  return `\x1b]9;${text}\x07`;
}

function titleOf({ card, asks, project, run, state }: ViewState): string {
  const name = lastText(project.split('/'));
  if (card !== null) return safeLine(`fluffy: review waits - ${name}`);
  if (asks) return safeLine(`fluffy: question waits - ${name}`);
  return safeLine(run.kind === 'running' ? `fluffy: ${state} - ${name}` : `fluffy - ${name}`);
}

/** What has happened between two views that a person who does other things wants to know. Pure. */
export function newsOf(before: ViewState, now: ViewState, nowMs: number): string | null {
  if (before.card === null && now.card !== null) return 'a review waits for you';
  if (!before.asks && now.asks) return 'a question waits for you';
  if (before.run.kind !== 'running' || now.run.kind !== 'idle') return null;
  return nowMs - before.run.sinceMs >= LONG_RUN_MS ? `the run has ended (${now.run.last ?? 'failed'})` : null;
}
