import { z } from 'zod';

/** USD per million tokens. `cache_write` is given if it differs from the price of input. */
export const modelPriceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative(),
  cache_write: z.number().nonnegative().optional(),
});

/** The form of an edit that a model handles best: exact replacement, or the patch format on which OpenAI's models were trained. */
export const EDIT_FORMATS = ['replace', 'patch'] as const;

/** How much a thinking model should think, in terms that vendors share. */
export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** What is known about a model before the first request. */
export const modelFactsSchema = z.strictObject({
  /** Input and output together. */
  window_tokens: z.number().int().min(2_000),
  max_output_tokens: z.number().int().min(256),
  price: modelPriceSchema.optional(),
  reasoning: z.boolean(),
  /** Efforts that can be chosen. Absent: all of them for a thinking model, else none. */
  efforts: z.array(z.enum(EFFORTS)).optional(),
  images: z.boolean(),
  /** Name of a family of tokenizers; models of one family count equally. */
  tokenizer: z.string(),
  edit_format: z.enum(EDIT_FORMATS),
});

/** The efforts that can be chosen for a model. Pure. */
export function effortsOf({ efforts, reasoning }: Pick<ModelFacts, 'efforts' | 'reasoning'>): readonly Effort[] {
  return efforts ?? (reasoning ? EFFORTS : []);
}

/** `models.<provider/model>` of the user's configuration: each given value replaces the one in the catalogue. */
export const modelOverrideSchema = modelFactsSchema.partial();

export const modelCatalogueSchema = z.strictObject({
  source: z.string(),
  /** Day of the source, YYYY-MM-DD. */
  date: z.iso.date(),
  /** By `vendor/model`; `open/model` for open weights, which anybody may serve. */
  models: z.record(z.string(), modelFactsSchema),
});

export type ModelPrice = z.infer<typeof modelPriceSchema>;
export type ModelFacts = z.infer<typeof modelFactsSchema>;
export type ModelOverride = z.infer<typeof modelOverrideSchema>;
export type ModelCatalogue = z.infer<typeof modelCatalogueSchema>;
