import { describe, expect, it } from 'vitest';
import { PROVIDERS, vendorHost } from '../../../../src/contracts/model/providers.ts';
import { decide } from '../../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../../src/kernel/policy/index.ts';
import { modelHostRequest } from '../../../../src/kernel/run/model/model-host-request.ts';
import { policyOf, shippedPolicy } from '../../../support/kernel/policies.ts';

function verdict(policy: CompiledPolicy, provider: string, host: string | undefined) {
  const request = modelHostRequest(provider, host, { state: 'planning', mode: 'strict' });
  return decide(policy, request, { nowMonotonicMs: 0 }).decision;
}

const vendors = Object.keys(PROVIDERS).flatMap((name) => {
  const host = vendorHost(name);
  return host === null ? [] : [[name, host] as const];
});

describe.each(vendors)('%s', (name, host) => {
  it('is asked at its own host by a rule about that host alone', () => {
    expect(verdict(shippedPolicy(), name, host)).toBe('allow');
    const onlyOwn =
      'capabilities: [{ name: own, match: { syscall: ai.generate, caller_tag: user_endpoint }, action: allow }]';
    expect(verdict(policyOf(onlyOwn), name, host)).toBe('deny');
    const ruled = `capabilities: [{ name: own, match: { syscall: ai.generate, host: "${host}" }, action: allow }]`;
    expect(verdict(policyOf(ruled), name, host)).toBe('allow');
  });

  it('is an endpoint of the user anywhere else', () => {
    expect(modelHostRequest(name, '127.0.0.1:4000', { state: 'idle', mode: 'strict' }).tags).toContain('user_endpoint');
    expect(
      modelHostRequest(name, `${host.split(':')[0] ?? ''}:8443`, { state: 'idle', mode: 'strict' }).tags,
    ).toContain('user_endpoint');
  });
});

it.each([
  ['ollama', '127.0.0.1:11434'],
  ['mine', 'models.example:443'],
  ['azure', 'corp.openai.azure.com:443'],
  ['replay', undefined],
])('%s at %s is allowed as the user chose it', (name, host) => {
  expect(verdict(shippedPolicy(), name, host)).toBe('allow');
});
