import { commandGroupsOf } from '../../../tui/commands/registry.ts';
import type { SlashContext } from '../../../tui/commands/slash-command.ts';
import type { KeyStyle } from '../../../tui/composer/vim/key-styles.ts';
import { readDiff } from '../../../tui/diff/read-diff.ts';
import { safeLine } from '../../../tui/store/safe-text.ts';
import { reviewFiles } from '../../../tui/store/review-files.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { ScreenMessages } from '../screen-messages.ts';

/** The rest comes from the screen itself. */
export interface ContextParts extends Omit<
  SlashContext,
  | 'mode'
  | 'keys'
  | 'bindings'
  | 'keepKeys'
  | 'groups'
  | 'answer'
  | 'hint'
  | 'note'
  | 'diff'
  | 'reviewFiles'
  | 'testsCanFollow'
  | 'reviewDropped'
  | 'commitUndone'
  | 'commitRedone'
> {
  readonly store: ViewStore;
  /** Stores the keys in the user's configuration. Resolves to the file. */
  readonly saveKeys: (keys: KeyStyle) => Promise<string>;
  readonly messages: ScreenMessages;
  /** The typed command, to be shown above its answer; null if it was not typed. */
  readonly typed: string | null;
}

/** The context of commands in a terminal: their answers go to the scrollback. */
export function slashContext({ store, saveKeys, messages, typed, ...rest }: ContextParts): SlashContext {
  let untold = typed;
  const head = (): void => {
    if (untold !== null) store.dispatch({ kind: 'say', item: { kind: 'command', line: safeLine(untold) } });
    untold = null;
  };
  const answer = (text: string): void => {
    head();
    messages.answer(text);
  };
  return {
    ...rest,
    mode: store.current.mode,
    keys: store.current.composer.vim === null ? 'emacs' : 'vim',
    bindings: store.current.bindings,
    keepKeys: async (keys) => {
      store.dispatch({ kind: 'edit', edit: { kind: 'keys', keys }, atMs: 0 });
      const whose = keys === 'vim' ? 'vi' : 'a shell';
      messages.note(`The keys at the prompt are those of ${whose}, kept in ${await saveKeys(keys)}.`);
    },
    groups: commandGroupsOf(store.current),
    answer,
    hint: messages.hint,
    note: messages.note,
    diff: (text) => {
      const diff = readDiff(text);
      if (diff.files.length === 0) return answer(text);
      head();
      store.dispatch({ kind: 'say', item: { kind: 'diff', diff } });
    },
    reviewFiles: () => reviewFiles(store.current),
    testsCanFollow: () => store.current.card?.shown.facts?.tests_can_follow === true,
    reviewDropped: () => store.dispatch({ kind: 'card-dropped' }),
    commitRedone: (commit) => store.dispatch({ kind: 'commit-redone', commit }),
    commitUndone: (commit) => store.dispatch({ kind: 'commit-undone', commit }),
  };
}
