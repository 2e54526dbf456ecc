import { z } from 'zod';

/** USD per million tokens. `cache_write`: where it is not the price of input. */
export const modelPriceSchema = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cache_read: z.number().nonnegative(),
  cache_write: z.number().nonnegative().optional(),
});

/** How a model likes to describe a change of a file: exact replacement, or the patch that OpenAI's models were trained on. */
export const EDIT_FORMATS = ['replace', 'patch'] as const;

/** How much a model that thinks is to think, in the words that vendors share. */
export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** What is known of a model before it is asked anything. */
export const modelFactsSchema = z.strictObject({
  /** Input and output together. */
  window_tokens: z.number().int().min(2_000),
  max_output_tokens: z.number().int().min(256),
  price: modelPriceSchema.optional(),
  reasoning: z.boolean(),
  /** Efforts that can be chosen. Absent: all of them where it thinks, else none. */
  efforts: z.array(z.enum(EFFORTS)).optional(),
  images: z.boolean(),
  /** Name of a family of tokenizers; models of one family count alike. */
  tokenizer: z.string(),
  edit_format: z.enum(EDIT_FORMATS),
});

/** Pure: the efforts that can be chosen for a model. */
export function effortsOf({ efforts, reasoning }: Pick<ModelFacts, 'efforts' | 'reasoning'>): readonly Effort[] {
  return efforts ?? (reasoning ? EFFORTS : []);
}

/** `models.<provider/model>` of the user's configuration: what is given replaces what the catalogue says. */
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
