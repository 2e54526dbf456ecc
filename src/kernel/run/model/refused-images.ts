import { sentImages } from '../../context/images.ts';
import { sentMessages } from '../../context/sent-messages.ts';
import { modelInUse } from '../../session/model-in-use.ts';
import type { Session } from '../../session/session.ts';
import type { ReplyFailure } from './reply.ts';

/**
 * Called after a provider has refused a request with images: from now on it gets text in place of these images.
 * Otherwise each later request would contain the image and be refused too. Returns false if no image was sent, or if
 * the failure has another reason.
 */
export function withoutRefusedImages(
  session: Session,
  { code, message }: ReplyFailure,
  which: 'of the newest message' | 'all',
): boolean {
  // Some servers use another status for an image that a model does not accept.
  if (code !== 'bad_request' && !/\bimages?\b/i.test(message)) return false;
  const { model, images: sees } = modelInUse(session);
  const { refused_images: known, context } = session.snapshot;
  const sent = sees === true ? sentMessages(session.messages, session.start, context) : [];
  const groups = sentImages(sent, refusedBy(session, model));
  const refused = which === 'all' ? groups.flat() : (groups.at(-1) ?? []);
  if (refused.length === 0) return false;
  const references = [...new Set(refused.map(({ reference }) => reference))];
  session.update({ refused_images: [...known, ...references.map((reference) => ({ model, reference }))] });
  session.save();
  const names = [...new Set(refused.map(({ name }) => name))].join(', ');
  session.emit({
    type: 'notice',
    level: 'warn',
    what: `${names} ${references.length === 1 ? 'is' : 'are'} not sent any more`,
    why: `${model} refused the request: ${message}`,
    fix: 'Nothing: the request is sent without it. To send it, save it again as PNG or JPEG and name it in a message, or choose another model with /model',
    code: 'image_not_seen',
  });
  return true;
}

/** References of the images that the model's provider has refused. */
export function refusedBy({ snapshot }: Pick<Session, 'snapshot'>, model: string): ReadonlySet<string> {
  return new Set(snapshot.refused_images.filter((each) => each.model === model).map(({ reference }) => reference));
}
