import { z } from 'zod';
import { todoItemSchema } from '../../contracts/session/todo.ts';
import { todoProgress } from '../../lib/text/todo-words.ts';
import { KERNEL } from './plugins.ts';
import { NEXT_TASK, WORKING } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer } from './tool-answer.ts';

const MAX_ITEMS = 50;

export const todoUpdate = defineTool({
  name: 'todo.update',
  synonyms: ['todowrite', 'todo_write', 'update_plan', 'todo'],
  description:
    "Replace the list of steps that the user sees. It begins as the plan's steps; keep it up to date when a step begins or ends, with at most one step in state doing.",
  input: z.strictObject({ items: z.array(todoItemSchema).max(MAX_ITEMS) }),
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: WORKING,
  opens: NEXT_TASK,
  touches: () => ({ reads: [], writes: [] }),
  describe: ({ items }) => todoProgress(items) ?? 'no steps',
  perform: ({ items }, { workflow }) => {
    workflow.updateTodo(items);
    return answer('Shown to the user.', todoProgress(items) ?? 'no steps');
  },
});
