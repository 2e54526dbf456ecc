import { describe, expect, test } from 'vitest';
import { inProjectImage, toolchainSettings } from '../../../src/kernel/proof/run/with-toolchains.ts';
import { SYSTEM_PATH, plainEnvironment } from '../../../src/kernel/runners/plain-command.ts';

const image = {
  reference: 'stack:1',
  id: 'sha256:1',
  node: '/opt/stack/node',
  path: ['/opt/stack', '/bin'],
  env: { STACK: '1', LANG: 'x' },
};
const job = {
  argv: ['/usr/local/bin/node', '/opt/fluffy/tools/test-tool/mocha-run.mjs'],
  env: plainEnvironment(['/p/.venv/bin']),
  cwd: '',
  reportName: 'report',
  image: 'node',
} as const;

describe('a job in the image that the user names', () => {
  test('has the Node of the image, its variables behind those of the job, and its PATH for that of the system', () => {
    expect(inProjectImage(job, image)).toEqual({
      ...job,
      argv: ['/opt/stack/node', '/opt/fluffy/tools/test-tool/mocha-run.mjs'],
      env: { STACK: '1', LANG: 'C.UTF-8', HOME: '/tmp', PATH: '/p/.venv/bin:/opt/stack:/bin' },
    });
  });

  test('keeps another program, and gets a PATH where it has none', () => {
    const python = { ...job, argv: ['python3', '-I'], env: {} };
    expect(inProjectImage(python, image)).toMatchObject({ argv: ['python3', '-I'], env: { PATH: '/opt/stack:/bin' } });
  });

  test('is as it was without an image', () => {
    expect(inProjectImage(job, undefined)).toBe(job);
    expect(job.env.PATH).toContain(SYSTEM_PATH);
  });
});

test('commands get the directories and variables of the image in place of those of toolchains', () => {
  const toolchains = [{ name: 'go', path: ['/usr/local/go/bin'], env: { GOROOT: '/usr/local/go' } }];
  expect(toolchainSettings({ toolchains })).toEqual({ path: ['/usr/local/go/bin'], env: { GOROOT: '/usr/local/go' } });
  expect(toolchainSettings({ toolchains, project_image: image })).toEqual({ path: image.path, env: image.env });
  const node = { name: 'node', path: ['/kit'], env: {}, node: '/kit/node' };
  expect(toolchainSettings({ toolchains: [node] })).toEqual({ first: ['/kit'], path: [], env: {} });
  expect(toolchainSettings({ toolchains: [node], project_image: image })).toEqual({ path: image.path, env: image.env });
  expect(toolchainSettings({})).toBeNull();
});
