import { z } from 'zod';

/** A question that the model asked the user; the user's next message answers it. Without options any answer will do. */
export const questionSchema = z.strictObject({
  question: z.string().min(1).max(4_000),
  options: z.array(z.string().min(1).max(500)).max(10),
});
export type Question = z.infer<typeof questionSchema>;
