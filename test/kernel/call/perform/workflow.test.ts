import { expect, it } from 'vitest';
import { callTool } from '../../../support/kernel/calls.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const FILES = { 'README.md': 'old\n', 'docs/more.md': 'old\n', 'src/a.js': '1' };
const request = { category: 'documentation', affected_paths: ['README.md'], reason: 'a typo' };

it('an exemption covers its paths', async () => {
  const kernel = testKernel({ state: 'test_writing', files: FILES });
  expect(await callTool(kernel, 'workflow.request_exemption', request)).toMatchObject({ ok: true });
  expect(kernel.session.snapshot.exemption).toMatchObject({ paths: ['README.md'] });
});

it.each([
  [
    'paths that its category does not cover',
    {},
    { ...request, affected_paths: ['src/a.js'] },
    'src/a.js is not covered',
  ],
  ['while other files are changed', { 'docs/more.md': 'new\n' }, request, 'docs/more.md has changed in this session'],
])('an exemption is refused for %s', async (_name, staged, input, why) => {
  const kernel = testKernel({ state: 'test_writing', files: FILES, staged });
  const reply = await callTool(kernel, 'workflow.request_exemption', input);
  expect(reply).toMatchObject({ ok: false, content: expect.stringContaining(why) as unknown });
  expect(kernel.session.snapshot.exemption).toBeNull();
});
