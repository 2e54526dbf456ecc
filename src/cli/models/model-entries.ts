import type { PickerEntry } from '../../tui/panel/panel.ts';
import { safeLine } from '../../tui/store/safe-text.ts';
import type { ListedModel } from './list-models.ts';

/** Models as entries of a list. A model that cannot be used here says why, and is shown only in a search, or if there is no other. Pure. */
export function modelEntries(models: readonly ListedModel[]): readonly PickerEntry[] {
  const hasUsable = models.some(({ usable }) => usable);
  return models.map((listed) => ({
    id: listed.model,
    isHidden: hasUsable && !listed.usable,
    label: safeLine(listed.model),
    aside: safeLine(listed.usable ? sizes(listed) : 'not here'),
    preview: [safeLine(listed.why ?? abilities(listed))],
  }));
}

function sizes({ window_tokens: tokens, price }: ListedModel): string {
  const window = tokens >= 1_000_000 ? `${Math.round(tokens / 100_000) / 10}M` : `${Math.round(tokens / 1_000)}k`;
  return price === undefined ? window : `${window}  ${price.input}/${price.output} USD`;
}

function abilities({ reasoning, images, max_output_tokens: output }: ListedModel): string {
  return [...(reasoning ? ['thinks'] : []), ...(images ? ['sees images'] : []), `answers of ${output} tokens`].join(
    ', ',
  );
}
