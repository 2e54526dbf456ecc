import { assertNever } from '../../../lib/assert-never.ts';
import { wholeText } from '../../../tui/composer/composer.ts';
import type { Edit } from '../../../tui/composer/composer.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { Edited } from './edit-elsewhere.ts';

interface EditPromptParts {
  readonly store: ViewStore;
  /** Opens a text in the person's editor, in a file of this name. */
  readonly edit: (text: string, name: string) => Promise<Edited>;
  readonly change: (change: Edit) => void;
  readonly hint: (text: string) => void;
  /** A warning in the scrollback. */
  readonly warn: (text: string) => void;
}

/** Moves the prompt's text to the person's editor and back. */
export async function editPrompt({ store, edit, change, hint, warn }: EditPromptParts): Promise<void> {
  const edited = await edit(wholeText(store.current.composer), 'prompt.md');
  switch (edited.kind) {
    case 'saved':
      return change({ kind: 'replace', text: edited.text.replace(/\n$/, '') });
    case 'unusable':
      hint(`${edited.why}. The prompt was not changed.`);
      return edited.kept.forEach((file) => warn(`What you wrote is kept in ${file}`));
    case 'no-terminal':
      return hint('No editor can have a terminal of plain lines.');
    default:
      assertNever(edited);
  }
}
