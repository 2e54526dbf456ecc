import type { ModelCatalogue, ModelFacts, ModelOverride } from '../../contracts/model/model-facts.ts';

/** `listed`: the catalogue has it, under this key. `assumed`: it is unknown, and the facts are cautious. */
export type FoundModel =
  | { readonly kind: 'listed'; readonly key: string; readonly facts: ModelFacts }
  | { readonly kind: 'assumed'; readonly facts: ModelFacts };

/** A window that most models have. A model with a smaller one refuses the request, and then the conversation is compacted. */
const ASSUMED: ModelFacts = {
  window_tokens: 128_000,
  max_output_tokens: 16_000,
  reasoning: false,
  images: false,
  tokenizer: 'unknown',
  edit_format: 'replace',
};

/**
 * What is known about `provider/model`. A model is found by its vendor's name for it, also with a date, a size or a tag after it, and under another
 * provider by the last part of its name. A price counts only for the vendor's own service. The user's configuration replaces single facts. Pure.
 */
export function findModel(catalogue: ModelCatalogue, model: string, override: ModelOverride = {}): FoundModel {
  const slash = model.indexOf('/');
  const provider = model.slice(0, slash);
  const name = model.slice(slash + 1);
  const own = bestKey(catalogue, (vendor) => vendor === provider, name);
  if (own !== null) return listed(catalogue, own, override, true);
  const last = name.slice(name.lastIndexOf('/') + 1).replace(REGION_AND_VENDOR, '');
  const elsewhere = bestKey(catalogue, () => true, last);
  if (elsewhere !== null) return listed(catalogue, elsewhere, override, false);
  return { kind: 'assumed', facts: { ...ASSUMED, ...override } };
}

function listed(catalogue: ModelCatalogue, key: string, override: ModelOverride, isOwn: boolean): FoundModel {
  const { price, ...facts } = catalogue.models[key] ?? ASSUMED;
  return { kind: 'listed', key, facts: { ...facts, ...(isOwn && price !== undefined ? { price } : {}), ...override } };
}

/** The prefix that Bedrock writes before a model's name: `us.anthropic.`, `openai.`. */
const REGION_AND_VENDOR = /^(?:[a-z]+\.)+/i;

/** The longest name of the catalogue that is a prefix of the name and ends at a word boundary. */
function bestKey(catalogue: ModelCatalogue, isVendor: (vendor: string) => boolean, name: string): string | null {
  const wanted = plain(name);
  let best: string | null = null;
  for (const key of Object.keys(catalogue.models)) {
    const slash = key.indexOf('/');
    if (!isVendor(key.slice(0, slash))) continue;
    const known = plain(key.slice(slash + 1));
    const fits = wanted === known || (wanted.startsWith(known) && /^[-:@]/.test(wanted.slice(known.length)));
    if (fits && (best === null || key.length - slash > best.length - best.indexOf('/'))) best = key;
  }
  return best;
}

/** Services write versions with dots or hyphens. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll('.', '-');
}
