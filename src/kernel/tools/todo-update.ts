import { z } from 'zod';
import { todoItemSchema } from '../../contracts/session/todo.ts';
import { ownValue } from '../../lib/own-value.ts';
import { todoProgress } from '../../lib/text/todo-words.ts';
import { isFields } from './shared/adapt-input.ts';
import type { Fields } from './shared/adapt-input.ts';
import { KERNEL } from './plugins.ts';
import { NEXT_TASK, WORKING } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer } from './tool-answer.ts';

const MAX_ITEMS = 50;
const LISTS = ['todos', 'plan', 'tasks'] as const;
const TEXTS = ['text', 'content', 'step', 'title', 'description'] as const;

export const todoUpdate = defineTool({
  name: 'todo.update',
  synonyms: ['todowrite', 'todo_write', 'write_todos', 'update_plan', 'todo'],
  description:
    "Replace the list of steps that the user sees. It begins as the plan's steps; keep it up to date when a step begins or ends, with at most one step in state doing.",
  input: z.strictObject({ items: z.array(todoItemSchema).max(MAX_ITEMS) }),
  foreign: { names: { items: [...LISTS] }, convert: withSteps },
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

const STATES: Readonly<Record<string, string>> = {
  pending: 'open',
  not_started: 'open',
  in_progress: 'doing',
  completed: 'done',
  complete: 'done',
};

/**
 * Converts lists of other agents: their steps have other field names, and numbers and priorities that are dropped here.
 */
function withSteps(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? value.map(stepIn) : value]),
  );
}

function stepIn(item: unknown): unknown {
  if (typeof item === 'string') return { text: item, state: 'open' };
  return isFields(item) ? stepOf(item) : item;
}

function stepOf(item: Fields): Fields {
  const text = TEXTS.map((name) => item[name]).find((value) => value !== undefined);
  const state = item['state'] ?? item['status'];
  return { text, state: typeof state === 'string' ? (ownValue(STATES, state) ?? state) : state };
}
