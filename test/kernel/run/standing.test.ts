import { expect, it } from 'vitest';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('hashes staged files only after messages that may have changed them', async () => {
  const kernel = testKernel({ state: 'test_writing', files: { 'a.js': 'a\n' } });
  const read = { tool: 'fs.read', input: { path: 'a.js' } };
  const write = { tool: 'fs.write', input: { path: 'test/a.test.js', content: 'b\n' } };
  const answers = [[read], [read, read], [{ tool: 'no.such', input: {} }], [read, write], [read], []];
  let asked = 0;
  const before: number[] = [];
  let digests = 0;
  const digest = kernel.workspace.stagingDigest.bind(kernel.workspace);
  kernel.workspace.stagingDigest = () => {
    digests += 1;
    return digest();
  };
  kernel.sandboxes.chat = (_request, onEvent) => {
    before.push(digests);
    const calls = answers[asked] ?? [];
    asked += 1;
    for (const event of modelAnswer('Go on.', calls)) onEvent(event);
    return Promise.resolve();
  };
  addUserMessage(kernel.session, { text: 'Write it.' });
  await runSession(kernel.services, kernel.session, new AbortController().signal);
  expect(before.slice(0, 6)).toEqual([0, 1, 1, 1, 2, 2]);
});
