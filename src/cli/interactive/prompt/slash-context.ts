import { commandsOf } from '../../../tui/commands/registry.ts';
import type { SlashContext } from '../../../tui/commands/slash-command.ts';
import type { KeyStyle } from '../../../tui/composer/vim/key-styles.ts';
import { readDiff } from '../../../tui/diff/read-diff.ts';
import { reviewFiles } from '../../../tui/store/review-files.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { ScreenMessages } from '../screen-messages.ts';

/** Here the screen itself gives the rest. */
export interface ContextParts extends Omit<
  SlashContext,
  | 'mode'
  | 'keys'
  | 'bindings'
  | 'keepKeys'
  | 'commands'
  | 'answer'
  | 'hint'
  | 'note'
  | 'diff'
  | 'reviewFiles'
  | 'reviewDropped'
  | 'commitUndone'
  | 'commitRedone'
> {
  readonly store: ViewStore;
  /** Keeps it in the user's configuration. Resolves to the file. */
  readonly saveKeys: (keys: KeyStyle) => Promise<string>;
  readonly messages: ScreenMessages;
}

/** Commands in a terminal: their answers go to the scrollback. */
export function slashContext({ store, saveKeys, messages, ...rest }: ContextParts): SlashContext {
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
    commands: commandsOf(store.current),
    answer: messages.answer,
    hint: messages.hint,
    note: messages.note,
    diff: (text) => {
      const diff = readDiff(text);
      if (diff.files.length > 0) store.dispatch({ kind: 'say', item: { kind: 'diff', diff } });
      else messages.answer(text);
    },
    reviewFiles: () => reviewFiles(store.current),
    reviewDropped: () => store.dispatch({ kind: 'card-dropped' }),
    commitRedone: (commit) => store.dispatch({ kind: 'commit-redone', commit }),
    commitUndone: (commit) => store.dispatch({ kind: 'commit-undone', commit }),
  };
}
