import { MAX_SENT_IMAGE_CHARACTERS } from '../../contracts/model/image.ts';
import type { MessageImage } from '../../contracts/model/image.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';

/**
 * Pure but for `read`: the conversation with its images as a model takes them. Where it sees none, or they are more than a request holds (the newest are
 * kept), words say what is missing.
 */
export function withImages(
  messages: readonly ModelMessage[],
  sees: boolean,
  read: (reference: string) => string | null,
): readonly ModelMessage[] {
  let room = MAX_SENT_IMAGE_CHARACTERS;
  const fit = (image: MessageImage): MessageImage | string => {
    const what = `[image ${image.name}: `;
    if (!sees) return `${what}you cannot see images]`;
    const data = read(image.reference);
    if (data === null) return `${what}it is not kept any more]`;
    if (data.length > room) return `${what}removed to save room]`;
    room -= data.length;
    return { ...image, data };
  };
  return messages
    .toReversed()
    .map((message): ModelMessage => {
      if (message.role !== 'user' || message.images === undefined) return message;
      const { images, ...rest } = message;
      const fitted = images.map(fit);
      const words = fitted.filter((each) => typeof each === 'string');
      const sent = fitted.filter((each) => typeof each !== 'string');
      const text = [rest.text, ...words].join('\n');
      return { ...rest, text, ...(sent.length === 0 ? {} : { images: sent }) };
    })
    .toReversed();
}
