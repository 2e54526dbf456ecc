import type { FluffyEvent } from '../../../contracts/session/events.ts';
import type { SessionMode } from '../../../contracts/session/workflow-states.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { edit } from '../../composer/composer.ts';
import type { SlashCommand } from '../../commands/slash-command.ts';
import type { Edit } from '../../composer/composer.ts';
import { PRINTED } from '../item.ts';
import type { ItemBody } from '../item.ts';
import type { CallDetails, Panel } from '../../panel/panel.ts';
import { withAccepted } from '../../review/accepted-files.ts';
import { reduceEvent } from './reduce-event.ts';
import { cutOff } from './reduce-tool.ts';
import { say } from './say.ts';
import { withoutFirst } from './without-first.ts';
import { safeLine } from '../safe-text.ts';
import type { SafeText } from '../safe-text.ts';
import { FRESH_MENU, initialView } from '../view-state.ts';
import type { ThemeName } from '../../text/theme.ts';
import type { KernelStatus, MenuState, ViewState } from '../view-state.ts';

/** Everything that changes the screen: events of the kernel, typed input, and messages of the terminal session itself. */
export type Action =
  | { readonly kind: 'event'; readonly event: FluffyEvent; readonly atMs: number }
  | { readonly kind: 'edit'; readonly edit: Edit; readonly atMs: number }
  | { readonly kind: 'say'; readonly item: ItemBody }
  | { readonly kind: 'hint'; readonly text: SafeText | null }
  | { readonly kind: 'tip'; readonly text: SafeText }
  | { readonly kind: 'kernel'; readonly status: KernelStatus }
  | { readonly kind: 'mode'; readonly mode: SessionMode }
  | { readonly kind: 'theme'; readonly theme: ThemeName }
  /** A message is being sent to the kernel. */
  | { readonly kind: 'run-started'; readonly atMs: number; readonly command?: true }
  /** A command of the person ended; calls without a report are cut off. */
  | { readonly kind: 'command-ended' }
  | { readonly kind: 'run-refused' }
  | { readonly kind: 'interrupting' }
  | { readonly kind: 'joining'; readonly text: string }
  | { readonly kind: 'join-refused'; readonly text: string }
  | { readonly kind: 'queued'; readonly text: string }
  | { readonly kind: 'queue-taken'; readonly count: number }
  /** The newest queued task returned to the prompt. */
  | { readonly kind: 'queue-taken-back' }
  | { readonly kind: 'file-menu'; readonly paths: readonly SafeText[] }
  | { readonly kind: 'menu'; readonly menu: MenuState }
  | { readonly kind: 'own-commands'; readonly commands: readonly SlashCommand[] }
  /** Another session replaces this one. */
  | { readonly kind: 'session-left' }
  | { readonly kind: 'panel'; readonly panel: Panel | null }
  | { readonly kind: 'call-loaded'; readonly page: number; readonly details: CallDetails }
  /** The items before this one have been written to the terminal. */
  | { readonly kind: 'printed'; readonly before: number; readonly atMs: number }
  /** The terminal is narrower: the waiting card is drawn again. */
  | { readonly kind: 'card-again' }
  /** The review is gone without a decision, because its work was dropped. */
  | { readonly kind: 'card-dropped' }
  | { readonly kind: 'commit-undone'; readonly commit: string }
  | { readonly kind: 'commit-redone'; readonly commit: string }
  /** Files of the review on the screen. */
  | { readonly kind: 'files-accepted'; readonly paths: readonly string[] }
  | { readonly kind: 'deciding'; readonly reviewId: string; readonly deciding: boolean };

export function reduce(view: ViewState, action: Action): ViewState {
  switch (action.kind) {
    case 'event':
      return reduceEvent(view, action.event, action.atMs);
    case 'edit':
      return { ...view, composer: edit(view.composer, action.edit, action.atMs), hint: null, menu: FRESH_MENU };
    case 'say':
      return say(view, action.item);
    case 'hint':
      return { ...view, hint: action.text };
    case 'tip':
      return view.run.kind === 'idle' && view.said.length === 0 ? { ...view, tip: action.text } : view;
    case 'kernel':
      return { ...view, kernel: action.status };
    case 'mode':
      return { ...view, mode: action.mode };
    case 'theme':
      return { ...view, theme: action.theme };
    case 'run-started':
      return {
        ...view,
        tip: null,
        run: { kind: 'running', sinceMs: action.atMs, waitedMs: 0, interrupting: false, ...commandOf(action) },
      };
    case 'command-ended':
      return { ...cutOff(view), run: { kind: 'idle', last: null } };
    case 'run-refused':
      return { ...view, run: { kind: 'idle', last: 'failed' } };
    case 'interrupting':
      return view.run.kind === 'running' ? { ...view, run: { ...view.run, interrupting: true } } : view;
    case 'joining':
      return { ...view, joining: [...view.joining, action.text] };
    case 'join-refused':
      return { ...view, joining: withoutFirst(view.joining, action.text) };
    case 'queued':
      return { ...view, queue: [...view.queue, action.text] };
    case 'queue-taken':
      return { ...view, queue: view.queue.slice(action.count) };
    case 'queue-taken-back':
      return { ...view, queue: view.queue.slice(0, -1) };
    case 'file-menu':
      return { ...view, fileMenu: action.paths };
    case 'menu':
      return { ...view, menu: action.menu };
    case 'own-commands':
      return { ...view, ownCommands: action.commands };
    case 'session-left':
      return withoutSession(view);
    case 'panel':
      return { ...view, panel: action.panel };
    case 'call-loaded':
      return { ...view, panel: withDetails(view.panel, action.page, action.details) };
    case 'printed':
      return printed(view, action.before, action.atMs);
    case 'card-again':
      return cardAgain(view);
    case 'card-dropped':
      return { ...view, card: null };
    case 'commit-undone':
      return { ...view, commits: view.commits.filter((commit) => commit !== action.commit) };
    case 'commit-redone':
      return { ...view, commits: [...view.commits, action.commit] };
    case 'files-accepted':
      return view.card === null
        ? view
        : { ...view, accepted: withAccepted(view.accepted, view.card.shown.diff, action.paths) };
    case 'deciding':
      return view.card?.reviewId === action.reviewId
        ? { ...view, card: { ...view.card, deciding: action.deciding } }
        : view;
    default:
      return assertNever(action);
  }
}

function commandOf({ command }: { readonly command?: true }): { readonly command?: true } {
  return command === true ? { command } : {};
}

/** Keeps what was printed; nothing else of the session. */
function withoutSession(view: ViewState): ViewState {
  const { project, model, mode, theme, bindings, kernel, composer, items, lastKind, menu, fileMenu, ownCommands } =
    view;
  const fresh = initialView({ project, model, mode, theme, bindings }, safeLine(''));
  return { ...fresh, kernel, composer, items, lastKind, menu, fileMenu, ownCommands };
}

function withDetails(panel: Panel | null, index: number, details: CallDetails): Panel | null {
  if (panel?.kind !== 'pager') return panel;
  const pages = panel.pages.map((page, at) => (at === index && page.kind === 'call' ? { ...page, details } : page));
  return { ...panel, pages };
}

function cardAgain(view: ViewState): ViewState {
  const { card } = view;
  if (card === null || card.deciding) return view;
  return { ...say(view, { kind: 'card', card: card.shown }), card: { ...card, drawnAtMs: null } };
}

/** From here on a decision about the card is possible, if the card was among what was written. */
function printed(view: ViewState, before: number, atMs: number): ViewState {
  const { card } = view;
  const fresh = view.items.slice(0, before).filter((item) => item !== PRINTED);
  const isCard = fresh.some((item) => item.kind === 'card' && item.card.reviewId === card?.reviewId);
  const items = view.items.map((item, index) => (index < before ? PRINTED : item));
  return {
    ...view,
    items,
    card: isCard && card !== null && card.drawnAtMs === null ? { ...card, drawnAtMs: atMs } : card,
  };
}
