import { describe, expect, test } from 'vitest';
import { userConfigSchema } from '../../../src/cli/config/config-schema.ts';
import { projectConfigSchema } from '../../../src/cli/config/config-schema.ts';
import { kernelTestNetwork, testNetworkSettings } from '../../../src/cli/config/test-network.ts';

const ID = `sha256:${'0'.repeat(64)}`;
const CONFIG = {
  services: {
    redis: { command: ['redis-server'], port: 6379 },
    postgres: { image: 'postgres:16', id: ID, port: 5432, environment: { POSTGRES_PASSWORD: 'x' } },
  },
  network_groups: { staging: ['api.example:443'], other: ['other.example:443'] },
  test: {
    networks: [
      { project: '/home/ada/library', groups: ['staging'], services: ['redis', 'postgres'], variables: { A: 'b' } },
    ],
  },
};

describe('the network of the tests of one project', () => {
  const config = userConfigSchema.parse(CONFIG);

  test('is what the user has declared for it: the kernel gets names, ports and hosts, and no command', () => {
    const settings = testNetworkSettings(config, '/home/ada/library');
    expect(Object.keys(settings.services ?? {})).toEqual(['redis', 'postgres']);
    const network = kernelTestNetwork({ ...settings, network_groups: config.network_groups });
    expect(network).toEqual({
      services: [
        { name: 'redis', port: 6379, image: null },
        { name: 'postgres', port: 5432, image: `postgres:16 ${ID}` },
      ],
      groups: { staging: ['api.example:443'] },
      proxy: false,
      variables: { A: 'b' },
    });
  });

  test.each([
    [['*.a.example:443'], true],
    [['203.0.113.7:443'], true],
    [['[2001:db8::1]:443'], true],
    [['127.0.0.1:5432', 'api.example:443'], false],
    [Array.from({ length: 251 }, (_, index) => `h${index}.example:443`), true],
  ])('has a proxy exactly where the host opens one: %#', (hosts, proxy) => {
    expect(kernelTestNetwork({ test_groups: ['own'], network_groups: { own: hosts } })).toMatchObject({ proxy });
  });

  test('is none for other projects', () => {
    expect(testNetworkSettings(config, '/home/ada/other')).toEqual({});
    expect(kernelTestNetwork({ network_groups: config.network_groups })).toBeNull();
  });

  test.each([
    ['a group that there is not', { groups: ['stagin'] }, 'there is no network_groups.stagin'],
    ['a service that there is not', { services: ['mysql'] }, 'there is no services.mysql'],
    ['a name of the language', { services: ['constructor'] }, 'there is no services.constructor'],
  ])('cannot have %s', (_name, change, message) => {
    const networks = [{ project: '/home/ada/library', ...change }];
    expect(userConfigSchema.safeParse({ ...CONFIG, test: { networks } }).error?.issues).toMatchObject([{ message }]);
  });

  test('cannot have two services on one port, nor a host without a port', () => {
    const services = { ...CONFIG.services, valkey: { command: ['valkey'], port: 6379 } };
    const networks = [{ project: '/p', services: ['redis', 'valkey'], groups: ['odd'] }];
    const parsed = userConfigSchema.safeParse({ services, network_groups: { odd: ['a.example'] }, test: { networks } });
    expect(parsed.error?.issues.map(({ message }) => message)).toEqual([
      'network_groups.odd: a.example: expected host:port',
      'valkey and redis both listen on 6379',
    ]);
  });

  test.each([
    [{ port: 1 }, 'expected a command, or an image'],
    [{ image: 'redis:7', port: 1 }, 'the image needs its id: docker image inspect --format "{{.Id}}" redis:7'],
    [{ command: ['a'], id: ID, port: 1 }, 'an id belongs to an image'],
  ])('a service cannot be %j', (service, message) => {
    expect(userConfigSchema.safeParse({ services: { own: service } }).error?.issues).toMatchObject([{ message }]);
  });

  test.each([{ services: CONFIG.services }, { network_groups: CONFIG.network_groups }, { test: CONFIG.test }])(
    'is never that of a project’s own file: %j',
    (text) => {
      expect(projectConfigSchema.safeParse(text).success).toBe(false);
    },
  );
});
