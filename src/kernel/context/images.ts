import { MAX_SENT_IMAGES, MAX_SENT_IMAGE_CHARACTERS } from '../../contracts/model/image.ts';
import type { MessageImage } from '../../contracts/model/image.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';

/** The images that can be sent to a model that accepts images. */
export interface Sight {
  readonly read: (reference: string) => string | null;
  /** References of images that the provider refused. */
  readonly refused: ReadonlySet<string>;
}

/**
 * The conversation with its images in the form in which a model gets them; `sight` is null for a model without image
 * input. A refused image, or an older image beyond the maximum of a request, is replaced by a text that says what is
 * missing. Pure, apart from `read`.
 */
export function withImages(messages: readonly ModelMessage[], sight: Sight | null): readonly ModelMessage[] {
  let characters = MAX_SENT_IMAGE_CHARACTERS;
  let images = MAX_SENT_IMAGES;
  const fit = (image: MessageImage): MessageImage | string => {
    const what = `[image ${image.name}: `;
    if (sight === null) return `${what}you cannot see images]`;
    if (sight.refused.has(image.reference)) return `${what}your provider could not read it, so you cannot see it]`;
    const data = sight.read(image.reference);
    if (data === null) return `${what}it is not kept any more]`;
    if (data.length > characters || images === 0) return `${what}removed to save room]`;
    characters -= data.length;
    images -= 1;
    return { ...image, data };
  };
  return messages
    .toReversed()
    .map((message): ModelMessage => {
      if (message.role !== 'user' || message.images === undefined) return message;
      const { images: own, ...rest } = message;
      const fitted = own.map(fit);
      const words = fitted.filter((each) => typeof each === 'string');
      const sent = fitted.filter((each) => typeof each !== 'string');
      const text = [rest.text, ...words].join('\n');
      return { ...rest, text, ...(sent.length === 0 ? {} : { images: sent }) };
    })
    .toReversed();
}

/** The images of a conversation that were not refused, by message. Messages without images are left out. Pure. */
export function sentImages(
  messages: readonly ModelMessage[],
  refused: ReadonlySet<string>,
): readonly (readonly MessageImage[])[] {
  return messages.flatMap((message) => {
    const images = message.role === 'user' ? (message.images ?? []) : [];
    const left = images.filter(({ reference }) => !refused.has(reference));
    return left.length === 0 ? [] : [left];
  });
}
