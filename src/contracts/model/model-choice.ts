import { z } from 'zod';
import { EDIT_FORMATS, EFFORTS, modelPriceSchema } from './model-facts.ts';
import { replayTurnSchema } from './model.ts';

const shape = {
  /** `provider/model` as the user wrote it. */
  model: z.string(),
  /** Prices in USD per million tokens, when known. */
  price: modelPriceSchema.optional(),
  /** Tokens that the model takes, input and output together, and how many of them an answer may have. */
  window_tokens: z.number().int().positive().optional(),
  max_output_tokens: z.number().int().positive().optional(),
  /** Whether it thinks before it answers. Absent: not known. */
  reasoning: z.boolean().optional(),
  /** How it likes to describe a change of a file. Absent: not known. */
  edit_format: z.enum(EDIT_FORMATS).optional(),
  /** Whether it sees images. Absent: not known. */
  images: z.boolean().optional(),
  /** How much it is to think. Absent: as the vendor does by itself. */
  effort: z.enum(EFFORTS).optional(),
  /** Turns of a replay file, for provider `replay`. */
  replay: z.array(replayTurnSchema).optional(),
} as const;

/** A model that a session asks, with all that the host knows of it. */
export const modelChoiceSchema = z.strictObject(shape);
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

const amongOthers = z.object(shape);

/** Pure: the part of a session's options that is about its model. */
export function modelChoiceOf(options: ModelChoice): ModelChoice {
  return amongOthers.parse(options);
}

/** Pure: the same options with another model. */
export function withModel<Options extends ModelChoice>(options: Options, choice: ModelChoice): Options {
  const others = Object.entries(options).filter(([key]) => !Object.hasOwn(shape, key));
  return { ...Object.fromEntries(others), ...choice } as Options;
}

/** The part before the slash of `provider/model`. */
export function providerOf(model: string): string {
  return model.slice(0, model.indexOf('/'));
}
