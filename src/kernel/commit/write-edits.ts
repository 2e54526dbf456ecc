import type { EditedFile } from '../../contracts/session/review-requests.ts';
import { callForUser } from '../call/call-for-user.ts';
import type { CallReply } from '../call/call.ts';
import type { SessionContext } from '../services.ts';

/**
 * Stages a person's edits of files under review, and runs the tests. Returns the message for the model. The session is
 * in reviewing again only if the tests pass and the proof was made again.
 */
export async function writeEdits(
  context: SessionContext,
  { reason, edits }: { readonly reason: string; readonly edits: readonly EditedFile[] },
): Promise<string> {
  const written = await callForUser(
    context,
    edits.map(({ path, text }) => (text === null ? ['fs.delete', { path }] : ['fs.write', { path, content: text }])),
  );
  const named = (ok: boolean) =>
    edits
      .filter((_, index) => written[index]?.ok === ok)
      .map(({ path }) => path)
      .join(', ');
  const refused = written.filter(({ ok }) => !ok);
  if (refused.length > 0) {
    const staged = named(true) === '' ? '' : ` Their version of ${named(true)} is staged: keep their text.`;
    return `The user edited ${named(false)} at review, and it could not be staged:\n${contentOf(refused)}${staged}`;
  }
  const tested = await callForUser(context, [['test.run', {}]]);
  return `At review the user ${reason}. Their version is staged: keep their text.\n${contentOf(tested)}`;
}

function contentOf(replies: readonly CallReply[]): string {
  return replies.map(({ content }) => content).join('\n');
}
