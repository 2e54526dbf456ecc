import { expect, it } from 'vitest';
import { askHuman } from '../../../src/kernel/review/ask-human.ts';
import { MAX_MEMBERS, memberManifests } from '../../../src/kernel/review/member-manifests.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const MANIFEST = JSON.stringify({ workspaces: ['packages/*', 'more/*'] });
const members = (count: number, directory = 'packages') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${directory}/p${index}/package.json`, '{}']));

it('the manifests of members are read, without those of installed packages', async () => {
  const files = {
    'packages/a/package.json': '{"name":"a"}',
    'packages/node_modules/package.json': '{}',
    'other/b/package.json': '{}',
  };
  const { workspace } = testKernel({ files });
  expect(await memberManifests(workspace, 'npm', { manifest: MANIFEST })).toEqual({ 'packages/a': '{"name":"a"}' });
});

it.each([
  ['of one pattern', members(MAX_MEMBERS + 1)],
  ['of several patterns together', { ...members(MAX_MEMBERS - 1), ...members(2, 'more') }],
])('no manifest is read where there are too many %s', async (_what, files) => {
  const { workspace } = testKernel({ files });
  expect(await memberManifests(workspace, 'npm', { manifest: MANIFEST })).toBeNull();
});

it('a session without a person asks no question', async () => {
  const { context, events } = testKernel({ options: { interactive: false } });
  expect(
    await askHuman({ ...context, signal: new AbortController().signal }, { tool: 'x', input: {}, reasons: [] }),
  ).toEqual({ kind: 'absent' });
  expect(events).toEqual([]);
});
