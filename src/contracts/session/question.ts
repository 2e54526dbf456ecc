import { z } from 'zod';

/** A question of the model to the user; the user's next message answers it. Without options any answer is accepted. */
export const questionSchema = z.strictObject({
  question: z.string().min(1).max(4_000),
  options: z.array(z.string().min(1).max(500)).max(10),
});
export type Question = z.infer<typeof questionSchema>;
