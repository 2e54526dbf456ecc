import { expect, it } from 'vitest';
import { runSession } from '../../../../src/kernel/run/run-session.ts';
import { chooseModel } from '../../../../src/kernel/session/model-in-use.ts';
import { addUserMessage } from '../../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const PATCHER = { model: 'replay/y', edit_format: 'patch' } as const;
const LOOK = modelAnswer('I look.', [{ tool: 'fs.list', input: { path: '.' } }]);

it('names the form of edits that suits the model, and another one when another model answers', async () => {
  const kernel = testKernel({
    state: 'code_writing',
    options: { edit_format: 'replace' },
    snapshot: { task: 'Add a cache.' },
  });
  const { session, sandboxes } = kernel;
  sandboxes.turns.push(
    () => {
      chooseModel(session, PATCHER);
      return LOOK;
    },
    modelAnswer('', [{ tool: 'task.give_up', input: { reason: 'That is all.' } }]),
  );
  addUserMessage(session, { text: 'Go on.' });
  await runSession(kernel.services, session, new AbortController().signal);
  const notes = sandboxes.requests.map(({ messages }) =>
    messages.flatMap((message) => (message.role === 'user' ? message.text.match(/Change files .*$/m) : []) ?? []),
  );
  const [replace, patch] = ['Change files that exist with fs.edit.', 'Change files that exist with fs.patch.'];
  expect(notes).toEqual([[replace], [replace, patch]]);
});

it.each([
  ['a model of which nothing is known', 'code_writing', undefined],
  ['a state in which nothing can be written', 'planning', 'patch'],
] as const)('names no form of edits for %s', async (_what, state, edit_format) => {
  const kernel = testKernel({ state, options: edit_format === undefined ? {} : { edit_format } });
  kernel.sandboxes.turns.push(modelAnswer('', [{ tool: 'task.give_up', input: { reason: 'That is all.' } }]));
  addUserMessage(kernel.session, { text: 'Go on.' });
  await runSession(kernel.services, kernel.session, new AbortController().signal);
  const said = kernel.sandboxes.requests.map(({ messages }) => JSON.stringify(messages)).join('\n');
  expect(said).toContain('Tools open now: ');
  expect(said).not.toContain('Change files');
});
