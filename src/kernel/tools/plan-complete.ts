import { z } from 'zod';
import { PLANNED_KINDS } from '../../contracts/review/change-kinds.ts';
import { firstLine } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { defineTool } from './tool.ts';

export const planComplete = defineTool({
  name: 'plan.complete',
  synonyms: ['exit_plan_mode', 'exitplanmode'],
  description:
    'End planning: what will be done, of which kind the change is, and the steps. Opens the writing of tests. In test_writing it changes the plan.',
  input: z.strictObject({
    summary: z.string().min(1).max(10_000),
    steps: z.array(z.string().min(1).max(2000)).max(50),
    kind: z
      .enum(PLANNED_KINDS)
      .optional()
      .describe(
        'feature and fix: a new test fails first. refactor: the suite passes before and after, no test changes. deletion: code goes, after its tests, and nothing comes. tests: tests alone. Default: feature.',
      ),
  }),
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: ['planning', 'test_writing'],
  opens: 'A plan is made before the source is written. To plan again now, call workflow.revise_tests first.',
  describe: ({ summary }) => firstLine(summary),
  perform: (plan, context) => context.workflow.completePlan(plan),
});
