import { expect, it } from 'vitest';
import { describeSession } from '../../../src/kernel/serve/describe-session.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('/status names the commit that the session has made, and none that it has taken back', async () => {
  const { services, session } = testKernel();
  session.update({ base: { branch: 'refs/heads/main', head: 'a'.repeat(40) } });
  const place = async () => /^on .*$/m.exec(await describeSession(services, session, 'status'))?.[0];
  expect(await place()).toBe('on main at aaaaaaaaaa');
  session.updateRow({ status: 'committed', commits: ['b'.repeat(40)] });
  expect(await place()).toBe('on main at bbbbbbbbbb');
  session.updateRow({ commits: [] });
  expect(await place()).toBe('on main at aaaaaaaaaa');
});

it('/status names the image of the user that tests run in', async () => {
  const { services, session } = testKernel();
  const image = { reference: 'stack:1', id: `sha256:${'a'.repeat(64)}`, node: '/node', path: [], env: {} };
  const described = (options: typeof services.options) => describeSession({ ...services, options }, session, 'status');
  expect(await described(services.options)).not.toContain('tests and commands');
  const status = await described({ ...services.options, project_image: image });
  expect(status).toContain('tests and commands run in stack:1 (sha256:aaaaaaaaaaaa)');
});

it('/budget groups the digits of its counts', async () => {
  const { services, session } = testKernel();
  session.update({ usage: { input_tokens: 1_200_000, output_tokens: 3_400, cache_read_tokens: 0 } });
  expect(await describeSession(services, session, 'budget')).toContain('tokens 1,203,400');
});
