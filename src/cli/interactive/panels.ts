import { assertNever } from '../../lib/assert-never.ts';
import type { SessionRequest } from '../../tui/commands/slash-command.ts';
import type { CallDetails, FinishedCall, Page, Panel, PickerPurpose } from '../../tui/panel/panel.ts';
import { reviewPages } from '../../tui/panel/review-pages.ts';
import { safeLine } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';
import type { KeyAction } from '../../tui/keymap/key-action.ts';
import type { ThemeChoice } from './theme-choice.ts';

export interface PanelParts {
  readonly store: ViewStore;
  readonly request: SessionRequest;
  readonly theme: Pick<ThemeChoice, 'marked' | 'taken' | 'closed'>;
  readonly picked: (purpose: Exclude<PickerPurpose, 'theme'>, id: string) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

type PanelAction = Extract<KeyAction, { kind: 'open' | 'close-panel' | 'load-page' | 'marked' | 'picked' }>;

/** Opens panels, which take the keys from the prompt, and loads what they request. */
export class Panels {
  readonly #parts: PanelParts;

  constructor(parts: PanelParts) {
    this.#parts = parts;
  }

  onKey(action: PanelAction): void {
    switch (action.kind) {
      case 'open':
        this.#open();
        return;
      case 'close-panel':
        this.#close();
        return;
      case 'load-page':
        void this.#load(action.page);
        return;
      case 'marked':
        this.#marked(action.id);
        return;
      case 'picked':
        this.#picked(action.id);
        return;
      default:
        assertNever(action);
    }
  }

  /** Ctrl-O: the waiting review, or else the calls, newest first. */
  #open(): void {
    const { store } = this.#parts;
    const { card, calls } = store.current;
    if (card !== null) {
      store.dispatch({
        kind: 'panel',
        panel: { kind: 'pager', noun: 'part', pages: reviewPages(card.shown), first: 0 },
      });
      return;
    }
    if (calls.length === 0) {
      store.dispatch({ kind: 'hint', text: safeLine('Nothing has been called yet.') });
      return;
    }
    const pages = calls.map((call): Page =>
      'thought' in call ? { kind: 'thought', ...call } : { kind: 'call', call, details: 'loading' },
    );
    const noun = pages.every(({ kind }) => kind === 'call') ? 'call' : 'step';
    store.dispatch({ kind: 'panel', panel: { kind: 'pager', noun, pages, first: pages.length - 1 } });
  }

  #close(): void {
    const { panel } = this.#parts.store.current;
    this.#takeAway();
    if (isThemes(panel)) this.#parts.theme.closed();
  }

  #marked(id: string): void {
    const { panel } = this.#parts.store.current;
    if (isThemes(panel)) this.#parts.theme.marked(id);
  }

  #picked(id: string): void {
    const { theme, picked, failed, store } = this.#parts;
    const { panel } = store.current;
    this.#takeAway();
    if (panel?.kind !== 'picker') return;
    const taken = panel.purpose === 'theme' ? theme.taken(id) : picked(panel.purpose, id);
    void taken.catch(failed);
  }

  #takeAway(): void {
    this.#parts.store.dispatch({ kind: 'panel', panel: null });
  }

  async #load(page: number): Promise<void> {
    const { store, request } = this.#parts;
    const { panel } = store.current;
    const wanted = panel?.kind === 'pager' ? panel.pages[page] : undefined;
    if (panel?.kind !== 'pager' || wanted?.kind !== 'call') return;
    const { callId } = wanted.call;
    const later = panel.pages.slice(page + 1).filter((each) => each.kind === 'call' && each.call.callId === callId);
    const details = await request('session.call', { call_id: callId, later: later.length }).then(
      ({ call }) => (call === null ? withoutDetails(wanted.call) : detailsOf(call)),
      (error: unknown) => ({ input: { raw: '' }, output: { raw: `It could not be read: ${String(error)}` } }),
    );
    store.dispatch({ kind: 'call-loaded', page, details });
  }
}

function isThemes(panel: Panel | null): boolean {
  return panel?.kind === 'picker' && panel.purpose === 'theme';
}

function withoutDetails({ tool }: FinishedCall): CallDetails {
  return { input: { raw: '' }, output: { raw: `The conversation does not have this call of ${tool} any more.` } };
}

function detailsOf({ input, output }: { input: string; output: string }): CallDetails {
  return { input: { raw: indented(input) }, output: { raw: output } };
}

/** Arguments as JSON with one field a line; texts of several lines stay unchanged. */
function indented(input: string): string {
  try {
    const value = JSON.parse(input) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value, null, 2);
    return Object.entries(value)
      .map(([name, each]) => `${name}: ${typeof each === 'string' ? blockOf(each) : JSON.stringify(each, null, 2)}`)
      .join('\n');
  } catch {
    return input;
  }
}

function blockOf(text: string): string {
  return text.includes('\n') ? `\n${text.replace(/^/gm, '  ').trimEnd()}` : text;
}
