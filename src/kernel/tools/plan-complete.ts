import { z } from 'zod';
import { firstLine } from './input-fields.ts';
import { KERNEL } from './plugins.ts';
import { defineTool } from './tool.ts';

export const planComplete = defineTool({
  name: 'plan.complete',
  description: 'End planning: what will be done, and the steps. Opens the writing of tests.',
  input: z.strictObject({
    summary: z.string().min(1).max(10_000),
    steps: z.array(z.string().max(2000)).max(50),
  }),
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: ['planning'],
  opens: 'A plan is completed once, in state planning.',
  describe: ({ summary }) => firstLine(summary),
  perform: (plan, context) => context.workflow.completePlan(plan),
});
