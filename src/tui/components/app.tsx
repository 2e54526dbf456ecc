import { Static, useApp, useInput, usePaste, useWindowSize } from 'ink';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { firstKey } from '../keymap/bindings.ts';
import { readKeys, readPaste } from '../keymap/read-keys.ts';
import type { KeyAction } from '../keymap/key-action.ts';
import type { LiveFrame } from '../live/live-frame.ts';
import type { Item } from '../store/item.ts';
import type { ViewStore } from '../store/view-store.ts';
import type { ThemeName } from '../text/theme.ts';
import { ItemView } from './item-view.tsx';
import { Live } from './live.tsx';
import { PanelView } from './panel-view.tsx';
import { useCardAgain } from './use-card-again.ts';
import { LookContext } from './look.ts';
import type { Look } from './look.ts';

export type LendTerminal = (use: () => Promise<void>) => Promise<void>;

export interface AppProps {
  readonly store: ViewStore;
  readonly onKey: (action: KeyAction) => void;
  /** Ctrl-Z. */
  readonly onSuspend: () => void;
  /** Called once with the function that gives the terminal to another program until the promise resolves. */
  readonly onLend: (lend: LendTerminal) => void;
  /** Without a shell that can continue the process, Ctrl-Z is an ordinary key. */
  readonly canSuspend: () => boolean;
  readonly nowMs: () => number;
  /** The terminal's rows, if Ink gets another number. */
  readonly terminalRows?: () => number;
  readonly look: (theme: ThemeName) => Omit<Look, 'columns' | 'openKey'>;
  readonly onFrame?: (frame: LiveFrame) => void;
}

/** The whole screen: finished items are printed to the terminal's own scrollback once, the rest is drawn below. */
export function App({
  store,
  onKey,
  onSuspend,
  onLend,
  canSuspend,
  nowMs,
  terminalRows,
  look,
  onFrame,
}: AppProps): ReactNode {
  const view = useSyncExternalStore(store.subscribe, store.published);
  const window = useWindowSize();
  const size = { columns: window.columns, rows: terminalRows?.() ?? window.rows };
  const { suspendTerminal } = useApp();
  const lookNow = useMemo(() => look(view.theme), [look, view.theme]);
  const panelKeys = useRef<((action: KeyAction) => void) | null>(null);
  const listen = useCallback((keys: (action: KeyAction) => void) => {
    panelKeys.current = keys;
  }, []);
  const act = (action: KeyAction) => {
    // Uses the store and not the last frame: a key after the one that closed a panel belongs to the prompt.
    const isPanel = store.current.panel !== null && action.kind !== 'suspend';
    if (isPanel) panelKeys.current?.(action);
    else if (action.kind === 'suspend' && canSuspend()) onSuspend();
    else onKey(action);
  };
  useEffect(() => onLend(suspendTerminal), [onLend, suspendTerminal]);
  useInput((input, key) => {
    const { bindings, composer } = store.current;
    readKeys(input, key, bindings, composer.vim === null ? 'emacs' : 'vim').forEach(act);
  });
  usePaste((text) => readPaste(text).forEach(act));
  useCardAgain(store, view.card, size.columns);
  const count = view.items.length;
  // Effects run after the frame has been written, so the subject of a decision is on the screen by now.
  useEffect(() => store.dispatch({ kind: 'printed', before: count, atMs: nowMs() }), [store, count, nowMs]);
  return (
    <LookContext value={{ ...lookNow, columns: size.columns, openKey: firstKey(view.bindings, 'open') }}>
      <Static items={view.items as Item[]} style={{ width: size.columns }}>
        {(item) => <ItemView key={item.id} item={item} />}
      </Static>
      {view.panel === null ? (
        <Live view={view} size={size} nowMs={nowMs} {...(onFrame === undefined ? {} : { onFrame })} />
      ) : (
        <PanelView
          panel={view.panel}
          size={size}
          waits={view.card !== null}
          listen={listen}
          onKey={onKey}
          onFrame={onFrame}
        />
      )}
    </LookContext>
  );
}
