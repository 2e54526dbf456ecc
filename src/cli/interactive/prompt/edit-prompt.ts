import { assertNever } from '../../../lib/assert-never.ts';
import { wholeText } from '../../../tui/composer/composer.ts';
import type { Edit } from '../../../tui/composer/composer.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { Edited } from './edit-elsewhere.ts';

interface EditPromptParts {
  readonly store: ViewStore;
  /** A text in the person's editor, in a file of this name. */
  readonly edit: (text: string, name: string) => Promise<Edited>;
  readonly change: (change: Edit) => void;
  readonly hint: (text: string) => void;
}

/** The prompt in the person's editor, and back. */
export async function editPrompt({ store, edit, change, hint }: EditPromptParts): Promise<void> {
  const edited = await edit(wholeText(store.current.composer), 'prompt.md');
  switch (edited.kind) {
    case 'saved':
      return change({ kind: 'replace', text: edited.text.replace(/\n$/, '') });
    case 'failed':
      return hint('The editor failed: set VISUAL or EDITOR.');
    case 'no-terminal':
      return hint('There is no terminal here that an editor could have.');
    default:
      assertNever(edited);
  }
}
