import { expect, it } from 'vitest';
import { networkRefused } from '../../../src/kernel/call/network-refused.ts';

it.each([
  ['asks for none', {}, [], null],
  ['says that it needs none', { network: false }, [], null],
  ['asks for one where no host is open', { network: true }, [], 'is empty'],
  ['asks for one where a host is open', { network: true }, ['db.example'], 'no tests with a network'],
])('a test run that %s', (_, input, hosts, told) => {
  const networkWhitelist = new Map([['integration-test', hosts]]) as never;
  const refused = networkRefused({ networkWhitelist }, { tool: 'test.run', input });
  if (told === null) expect(refused).toBeNull();
  else {
    expect(refused?.code).toBe('policy_denied');
    expect(refused?.message).toContain(told);
  }
});
