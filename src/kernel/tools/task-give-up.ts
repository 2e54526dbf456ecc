import { z } from 'zod';
import { firstLine, reasonField } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { NEXT_TASK, WORKING } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer } from './tool-answer.ts';

export const giveUp = defineTool({
  name: 'task.give_up',
  description: 'End the task because it cannot be done, with the reason.',
  input: z.strictObject({ reason: reasonField }),
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: WORKING,
  opens: NEXT_TASK,
  describe: ({ reason }) => firstLine(reason),
  perform: ({ reason }, context) => {
    context.workflow.giveUp(reason);
    return answer('Noted.', reason);
  },
});
