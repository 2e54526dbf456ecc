import { z } from 'zod';

export const TODO_STATES = ['open', 'doing', 'done'] as const;

/** One step of the model's list of its work. */
export const todoItemSchema = z.strictObject({ text: z.string().min(1).max(2_000), state: z.enum(TODO_STATES) });
export type TodoItem = z.infer<typeof todoItemSchema>;
