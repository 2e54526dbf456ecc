import { basename } from 'node:path';
import type { EditedFile, RequestParams, RequestResult } from '../../../contracts/session/session-protocol.ts';
import type { Choice } from '../../../tui/commands/slash-command.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { Edited } from '../prompt/edit-elsewhere.ts';

export interface ReviewEditParts {
  readonly store: ViewStore;
  readonly request: (params: Omit<RequestParams<'review.file'>, 'session_id'>) => Promise<RequestResult<'review.file'>>;
  /** A text in the person's editor, in a file of this name. */
  readonly edit: (text: string, name: string) => Promise<Edited>;
  readonly decide: (choice: Choice) => void;
  readonly hint: (text: string) => void;
}

/** Opens files of the review on the screen in the person's editor, one after the other. What was changed goes back with a rejection. */
export async function editReview(parts: ReviewEditParts, paths: readonly string[]): Promise<void> {
  const { store, request, edit, decide, hint } = parts;
  const reviewId = store.current.card?.reviewId;
  if (reviewId === undefined || store.current.card?.kind !== 'merge') return hint('No review of a commit waits.');
  const edits: EditedFile[] = [];
  for (const path of paths) {
    const { text } = await request({ review_id: reviewId, path });
    if (text === null)
      return hint(
        `${path} is deleted, no text, or too large to be edited here. To have it changed: /reject ${path} "why"`,
      );
    const edited = await edit(text, basename(path));
    if (edited.kind === 'no-terminal') return hint('There is no terminal here that an editor could have.');
    if (edited.kind === 'failed') return hint('The editor failed, nothing is decided: set VISUAL or EDITOR.');
    if (edited.text !== text) edits.push({ path, text: edited.text });
  }
  if (edits.length === 0) return hint('Nothing was changed, and nothing is decided.');
  // Decided by somebody else meanwhile, or replaced by another one: an edit of this one cannot go there.
  if (store.current.card?.reviewId !== reviewId) return hint('The review is over; your edit was not used.');
  const named = edits.map(({ path }) => path).join(', ');
  decide({ kind: 'reject', reason: `edited ${named}; the tests run again with it`, edits });
}
