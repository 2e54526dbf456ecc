import { SLASH_COMMANDS } from '../../tui/commands/registry.ts';
import type { SlashContext } from '../../tui/commands/slash-command.ts';
import { readDiff } from '../../tui/diff/read-diff.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';

interface ContextParts extends Pick<
  SlashContext,
  'request' | 'confirm' | 'keepPatch' | 'decide' | 'leave' | 'pickSession' | 'startAnew' | 'fork'
> {
  readonly store: ViewStore;
}

/** Commands in a terminal: their answers go to the scrollback. */
export function slashContext({ store, ...rest }: ContextParts): SlashContext {
  const answer = (text: string) => store.dispatch({ kind: 'say', item: { kind: 'answer', lines: safeLines(text) } });
  return {
    ...rest,
    mode: store.current.mode,
    commands: SLASH_COMMANDS,
    answer,
    note: (text) => store.dispatch({ kind: 'say', item: { kind: 'note', level: 'info', text: safeLine(text) } }),
    diff: (text) => {
      const diff = readDiff(text);
      if (diff.files.length > 0) store.dispatch({ kind: 'say', item: { kind: 'diff', diff } });
      else answer(text);
    },
    reviewFiles: () => store.current.card?.shown.diff.files.map(({ path }) => path) ?? [],
    reviewDropped: () => store.dispatch({ kind: 'card-dropped' }),
  };
}
