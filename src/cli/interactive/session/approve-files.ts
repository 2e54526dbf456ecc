import type { RequestParams, RequestResult } from '../../../contracts/session/session-protocol.ts';
import type { EditedFile } from '../../../contracts/session/review-requests.ts';
import { diffSections, textBefore } from '../../../lib/diff/text-before.ts';
import type { Choice } from '../../../tui/commands/slash-command.ts';
import type { WaitingCard } from '../../../tui/store/view-state.ts';
import { applyChoice, cardToDecide } from './decide-shown-review.ts';
import type { ReviewParts } from './decide-shown-review.ts';

export interface ApproveFilesParts extends ReviewParts {
  readonly request: (params: Omit<RequestParams<'review.file'>, 'session_id'>) => Promise<RequestResult<'review.file'>>;
  /** Stores a patch on the host. Resolves to its path. */
  readonly keepPatch: (patch: string) => Promise<string>;
}

/** Decides the review on the screen, if it has been shown for long enough. */
export function decideShownReview(parts: ApproveFilesParts, choice: Choice): void {
  const card = cardToDecide(parts);
  if (card === null) return;
  if (choice.kind !== 'approve-files') void applyChoice(parts, card, choice);
  else void approveFiles(parts, card, choice.paths).catch((error: unknown) => parts.failed(error));
}

/**
 * Approves some files of a change. The whole change was shown and proved, so nothing is signed: the other files are restored as an edit of the
 * person, tests and proof run on the rest, and that becomes a review of its own. A patch of the removed part is stored.
 */
async function approveFiles(parts: ApproveFilesParts, card: WaitingCard, paths: readonly string[]): Promise<void> {
  const { hint, note, keepPatch, store } = parts;
  const rest = leftOut(card, paths);
  if (rest.length === 0) {
    await applyChoice(parts, card, { kind: 'approve' });
    return;
  }
  const taken = await takenOut(parts, card, rest);
  if (taken.kind === 'cannot') return hint(`${taken.why}. Nothing is decided. /reject FILE "why" has it changed.`);
  // Meanwhile decided by another person, or replaced by another review.
  if (store.current.card?.reviewId !== card.reviewId) return hint('The review is over. Nothing was taken out.');
  const kept = await keepPatch(rest.map(({ section }) => section).join(''));
  const names = rest.map(({ path }) => path).join(', ');
  const reason = `approved ${paths.join(', ')} without ${names}; the tests run again`;
  if (await applyChoice(parts, card, { kind: 'reject', reason, accepts: paths, edits: taken.edits }))
    note(`${names}: taken out and kept as a patch. To bring it back as your own change: git apply ${kept}`);
}

interface LeftOut {
  readonly path: string;
  /** Its part of the diff; empty if it is not found. */
  readonly section: string;
}

function leftOut({ diff, shown }: WaitingCard, paths: readonly string[]): readonly LeftOut[] {
  const { files } = shown.diff;
  const sections = diffSections(diff);
  return files
    .map(({ path }, at) => ({ path, section: sections.length === files.length ? (sections[at] ?? '') : '' }))
    .filter(({ path }) => !paths.includes(path));
}

type TakenOut =
  { readonly kind: 'all'; readonly edits: readonly EditedFile[] } | { readonly kind: 'cannot'; readonly why: string };

/** The files from before the change. */
async function takenOut(
  { request }: ApproveFilesParts,
  { reviewId }: WaitingCard,
  rest: readonly LeftOut[],
): Promise<TakenOut> {
  const edits: EditedFile[] = [];
  for (const { path, section } of rest) {
    const { text, closed } = await request({ review_id: reviewId, path });
    if (closed !== undefined) return { kind: 'cannot', why: `${path} cannot be taken out: ${closed}` };
    const before = textBefore(section, text);
    if (before.kind === 'unknown')
      return { kind: 'cannot', why: `${path} cannot be taken out: it is no ordinary text, or its mode changes` };
    edits.push({ path, text: before.kind === 'absent' ? null : before.text });
  }
  return { kind: 'all', edits };
}
