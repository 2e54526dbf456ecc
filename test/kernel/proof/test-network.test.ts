import { expect, test } from 'vitest';
import type { TestNetwork } from '../../../src/contracts/sandbox/test-network.ts';
import { allowedNetwork, runNetwork, withNetwork } from '../../../src/kernel/proof/test-network.ts';

const redis: TestNetwork['services'][number] = { name: 'redis', port: 6379, image: null };
const postgres = { name: 'postgres', port: 5432, image: 'postgres:16 sha256:0' };
const network = (
  hosts: readonly string[],
  services = [redis],
  proxy = false,
): { readonly test_network: TestNetwork } => ({
  test_network: {
    services,
    groups: { staging: [...hosts] },
    proxy,
    variables: { REDIS_URL: 'redis://localhost' },
  },
});
const job = { argv: ['node'], env: { PATH: '/bin' }, cwd: '', reportName: 'r', image: 'node' } as const;

test('services belong to every run; hosts to a call that was allowed to have them', () => {
  const options = network(['api.example:443'], [redis, postgres]);
  expect(allowedNetwork(options, false)).toEqual({
    services: ['redis', 'postgres (postgres:16 sha256:0)'],
    groups: [],
    hosts: [],
  });
  expect(allowedNetwork(options, true)).toMatchObject({ groups: ['staging'], hosts: ['api.example:443'] });
  expect(runNetwork(options, null)).toEqual({ services: [redis, postgres], groups: [] });
  expect(runNetwork(options, allowedNetwork(options, true))).toMatchObject({ groups: ['staging'] });
});

test('without services, a run has nothing until it is allowed', () => {
  const options = network(['api.example:443'], []);
  expect(allowedNetwork(options, false)).toBeNull();
  expect(runNetwork(options, null)).toBeUndefined();
  expect(allowedNetwork({}, true)).toBeNull();
  expect(runNetwork({}, { services: [], groups: ['staging'], hosts: [] })).toBeUndefined();
});

test('tests get the variables of the configuration, and a proxy only where a host has no address of its own', () => {
  const plain = network(['api.example:443']);
  expect(withNetwork(job, plain, allowedNetwork(plain, true)).env).toEqual({
    PATH: '/bin',
    REDIS_URL: 'redis://localhost',
  });
  for (const host of ['*.example:443', '203.0.113.7:443', '[2001:db8::1]:443']) {
    const options = network([host], [redis], true);
    expect(withNetwork(job, options, allowedNetwork(options, true)).env).toMatchObject({
      HTTPS_PROXY: 'http://127.0.0.1:33128',
      NO_PROXY: 'localhost,127.0.0.1,redis',
    });
    expect(withNetwork(job, options, allowedNetwork(options, false)).env).not.toHaveProperty('HTTPS_PROXY');
  }
  expect(withNetwork(job, {}, null)).toEqual(job);
});
