import { z } from 'zod';
import { EDIT_FORMATS, EFFORTS, modelPriceSchema } from './model-facts.ts';
import { replayTurnSchema } from './model.ts';

const shape = {
  /** `provider/model` as the user wrote it. */
  model: z.string(),
  /** Prices in USD per million tokens, when known. */
  price: modelPriceSchema.optional(),
  /** Maximum tokens, input and output together, and maximum tokens of an answer. */
  window_tokens: z.number().int().positive().optional(),
  max_output_tokens: z.number().int().positive().optional(),
  /** Whether the model thinks before it answers. Absent: unknown. */
  reasoning: z.boolean().optional(),
  /** The form of an edit that the model handles best. Absent: unknown. */
  edit_format: z.enum(EDIT_FORMATS).optional(),
  /** Whether the model accepts images. Absent: unknown. */
  images: z.boolean().optional(),
  /** How much the model should think. Absent: the vendor's default. */
  effort: z.enum(EFFORTS).optional(),
  /** Turns of a replay file, for provider `replay`. */
  replay: z.array(replayTurnSchema).optional(),
} as const;

/** A model that a session uses, with all that the host knows about it. */
export const modelChoiceSchema = z.strictObject(shape);
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

const amongOthers = z.object(shape);

/** The part of a session's options that describes its model. Pure. */
export function modelChoiceOf(options: ModelChoice): ModelChoice {
  return amongOthers.parse(options);
}

/** The same options with another model. Pure. */
export function withModel<Options extends ModelChoice>(options: Options, choice: ModelChoice): Options {
  const others = Object.entries(options).filter(([key]) => !Object.hasOwn(shape, key));
  return { ...Object.fromEntries(others), ...choice } as Options;
}

/** The part before the slash of `provider/model`. */
export function providerOf(model: string): string {
  return model.slice(0, model.indexOf('/'));
}
