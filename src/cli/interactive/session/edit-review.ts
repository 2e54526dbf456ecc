import { basename } from 'node:path';
import { MAX_EDITED_CHARACTERS, MAX_EDITED_FILES } from '../../../contracts/session/review-requests.ts';
import type { RequestParams, RequestResult } from '../../../contracts/session/session-protocol.ts';
import type { Edited } from '../prompt/edit-elsewhere.ts';
import { applyChoice, cardToDecide } from './decide-shown-review.ts';
import type { ReviewParts } from './decide-shown-review.ts';

interface EditedText {
  readonly path: string;
  readonly text: string;
}

export interface ReviewEditParts extends ReviewParts {
  readonly request: (params: Omit<RequestParams<'review.file'>, 'session_id'>) => Promise<RequestResult<'review.file'>>;
  /** Opens a text in the person's editor, in a file of this name. */
  readonly edit: (text: string, name: string) => Promise<Edited>;
  /** Stores a text that cannot be used. Resolves to the file. */
  readonly keepEdit: (name: string, text: string) => Promise<string>;
  /** A warning in the scrollback. */
  readonly warn: (text: string) => void;
}

/**
 * Opens files of the shown review in the person's editor, one after the other. Changes are returned with a rejection. Whether the person may decide
 * is checked before the first editor opens; what they write after that is used, or stored.
 */
export async function editReview(parts: ReviewEditParts, paths: readonly string[]): Promise<void> {
  const { store, nowMs, hint } = parts;
  const card = cardToDecide(parts);
  if (card === null) return;
  if (card.kind !== 'merge') return hint('This review has no files: /approve or /reject "why".');
  if (paths.length > MAX_EDITED_FILES) return hint(`At most ${MAX_EDITED_FILES} files at once.`);
  const given = await textsOf(parts, card.reviewId, paths);
  if (given === null) return;
  const made = await editAll(parts, given);
  const { edits } = made;
  if (made.kind === 'stopped') return keepAll(parts, edits, made.why, made.kept);
  if (edits.length === 0) return hint('Nothing was changed, and nothing is decided.');
  const large = edits.find(({ text }) => text.length > MAX_EDITED_CHARACTERS);
  if (large !== undefined) return keepAll(parts, edits, `${large.path} is too large now to be sent back.`);
  // Meanwhile decided by another person, or replaced by another review, for which this edit does not fit.
  if (store.current.card?.reviewId !== card.reviewId) {
    store.dispatch({ kind: 'edit', edit: { kind: 'sent' }, atMs: nowMs() });
    return keepAll(parts, edits, 'The review is over; your edit was not used.');
  }
  const named = edits.map(({ path }) => path).join(', ');
  const taken = await applyChoice(parts, card, {
    kind: 'reject',
    reason: `edited ${named}; the tests run again with it`,
    edits,
  });
  if (!taken) await keepAll(parts, edits, null);
}

/** The texts as they would be committed; null, with a hint, if one of them cannot be edited: then no editor opens at all. */
async function textsOf(
  { request, hint }: ReviewEditParts,
  reviewId: string,
  paths: readonly string[],
): Promise<readonly EditedText[] | null> {
  const files: EditedText[] = [];
  for (const path of paths) {
    const { text, closed } = await request({ review_id: reviewId, path });
    const otherWay = `To have it changed: /reject ${path} "why"`;
    if (closed !== undefined) {
      hint(`${closed}. ${otherWay}`);
      return null;
    }
    if (text === null) {
      hint(`${path} is deleted, no text, or too large to be edited here. ${otherWay}`);
      return null;
    }
    files.push({ path, text });
  }
  return files;
}

type Made =
  | { readonly kind: 'all'; readonly edits: readonly EditedText[] }
  /** `edits`: those of the earlier files. */
  | {
      readonly kind: 'stopped';
      readonly edits: readonly EditedText[];
      readonly why: string;
      readonly kept: readonly string[];
    };

async function editAll({ edit }: ReviewEditParts, files: readonly EditedText[]): Promise<Made> {
  const edits: EditedText[] = [];
  for (const { path, text } of files) {
    const edited = await edit(text, basename(path));
    if (edited.kind === 'no-terminal')
      return {
        kind: 'stopped',
        edits,
        why: 'An editor cannot run in plain-line mode. Use /reject FILE "why" to say what to change.',
        kept: [],
      };
    if (edited.kind === 'unusable')
      return { kind: 'stopped', edits, why: `${edited.why}. Nothing is decided.`, kept: edited.kept };
    if (edited.text !== text) edits.push({ path, text: edited.text });
  }
  return { kind: 'all', edits };
}

/** Stores everything that the person wrote, and says where. */
async function keepAll(
  { keepEdit, hint, warn }: ReviewEditParts,
  edits: readonly EditedText[],
  why: string | null,
  keptBefore: readonly string[] = [],
): Promise<void> {
  const files = [...keptBefore];
  for (const { path, text } of edits) files.push(await keepEdit(basename(path), text));
  if (why !== null) hint(why);
  for (const file of files) warn(`What you wrote is kept in ${file}`);
}
