import { z } from 'zod';
import { firstLine, reasonField } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { defineTool } from './tool.ts';

export const reviseTests = defineTool({
  name: 'workflow.revise_tests',
  description:
    'Go back from code_writing to test_writing because a test is wrong: the new tests have to be seen to fail again.',
  input: z.strictObject({ reason: reasonField }),
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: ['code_writing', 'reviewing'],
  opens: 'It leads back from code_writing to test_writing.',
  describe: ({ reason }) => firstLine(reason),
  perform: ({ reason }, context) => context.workflow.reviseTests(reason),
});
