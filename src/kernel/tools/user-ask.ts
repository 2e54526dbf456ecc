import { z } from 'zod';
import { questionSchema } from '../../contracts/session/question.ts';
import { firstLine } from './shared/input-fields.ts';
import { KERNEL } from './plugins.ts';
import { NEXT_TASK, WORKING } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';

export const userAsk = defineTool({
  name: 'user.ask',
  synonyms: ['askuserquestion', 'ask_followup_question', 'ask_user', 'ask_question'],
  description:
    'Ask the user one question that only they can decide and that changes what you do: requirements that contradict each other, or a choice that cannot be undone. Give options if there are some. The run pauses, and the answer is the next message. Never ask for what you can read or try.',
  input: z.strictObject({
    question: questionSchema.shape.question,
    options: questionSchema.shape.options.optional().describe('Answers to choose from, the one you recommend first.'),
  }),
  place: 'kernel',
  effect: 'workflow',
  plugin: KERNEL,
  states: WORKING,
  opens: NEXT_TASK,
  describe: ({ question }) => firstLine(question),
  perform: ({ question, options = [] }, { workflow }) => {
    if (workflow.ask({ question, options }) === 'another-waits')
      return failure('conflict', 'Your other question waits for its answer. Ask this one after it.');
    return answer('The user is being asked; their next message is the answer.', 'question asked');
  },
});
