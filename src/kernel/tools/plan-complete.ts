import { z } from 'zod';
import { PLANNED_KINDS } from '../../contracts/review/change-kinds.ts';
import { ownValue } from '../../lib/own-value.ts';
import { isFields } from './shared/adapt-input.ts';
import type { Fields } from './shared/adapt-input.ts';
import { firstLine } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { defineTool } from './tool.ts';

export const planComplete = defineTool({
  name: 'plan.complete',
  synonyms: ['exit_plan_mode', 'exitplanmode'],
  description:
    'End planning: say what will be done, in which steps, and of which kind the change is. Opens the writing of tests. In test_writing it changes the plan.',
  input: z.strictObject({
    summary: z.string().min(1).max(10_000),
    steps: z
      .array(z.string().min(1).max(2000))
      .max(50)
      .default([])
      .describe('What the user sees as the list of steps.'),
    kind: z
      .enum(PLANNED_KINDS)
      .optional()
      .describe(
        'feature and fix: a new test fails first. refactor: the suite passes before and after, no test changes. deletion: code is deleted, after its tests, and nothing is added. tests: only tests change. Default: feature.',
      ),
  }),
  foreign: { names: { summary: ['plan', 'description'] }, convert: withOurWords },
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: ['planning', 'test_writing'],
  opens: 'A plan is made before the source is written. To plan again now, call workflow.revise_tests first.',
  describe: ({ summary }) => firstLine(summary),
  perform: (plan, context) => context.workflow.completePlan(plan),
});

/** Kinds under the names that other agents use. */
const KINDS: Readonly<Record<string, (typeof PLANNED_KINDS)[number]>> = {
  bug: 'fix',
  bugfix: 'fix',
  bug_fix: 'fix',
  feat: 'feature',
  refactoring: 'refactor',
  removal: 'deletion',
  test: 'tests',
};
const TEXTS = ['step', 'text', 'description', 'title', 'content'] as const;

/** Converts steps that are objects with a text, and a kind under another name. */
function withOurWords(fields: Fields): Fields {
  const { kind, steps } = fields;
  return {
    ...fields,
    ...(typeof kind === 'string' ? { kind: ownValue(KINDS, kind.toLowerCase()) ?? kind } : {}),
    ...(Array.isArray(steps) ? { steps: steps.map((step: unknown) => (isFields(step) ? textOf(step) : step)) } : {}),
  };
}

function textOf(step: Fields): unknown {
  return TEXTS.map((name) => step[name]).find((value) => typeof value === 'string') ?? step;
}
