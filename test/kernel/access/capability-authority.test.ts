import { describe, expect, it } from 'vitest';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import type { CapabilityBinding } from '../../../src/contracts/policy.ts';
import { capabilityAuthority } from '../../../src/kernel/access/capability-authority.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const HOLDER: CapabilityBinding = {
  sandboxId: 'x_sandbox001' as SandboxId,
  connectionId: 'x_sandbox001/1',
  peerUid: 1000,
  peerPid: null,
};

function authorityFor(paths: readonly string[] = ['src/a.ts'], ttlMs = 30_000) {
  const { services, session, audit, advance } = testKernel({ state: 'code_writing' });
  const authority = capabilityAuthority(services, session, {
    callId: 'c1',
    syscall: 'fs.write',
    tags: [],
    paths,
    ttlMs,
  });
  return { authority, session, audit, advance };
}

describe('the capability of one operation', () => {
  it('opens it once, for the sandbox it was issued to, and is on record both times', () => {
    const { authority, audit } = authorityFor();
    const token = authority.issue(HOLDER);
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toBeNull();
    expect(audit.durable.map((entry) => entry.policy_decision)).toEqual(['allowed', 'allowed_by_token']);
    expect(authority.redeem(HOLDER, { ...token, use: 2 })).not.toBeNull();
  });

  it('opens all paths of an operation that has several', () => {
    const { authority } = authorityFor(['src/a.ts', 'src/b [c].ts', 'src/*.ts']);
    expect(authority.redeem(HOLDER, { ...authority.issue(HOLDER), use: 1 })).toBeNull();
  });

  it.each<[string, Partial<CapabilityBinding>]>([
    ['another sandbox', { sandboxId: 'x_sandbox002' as SandboxId }],
    ['another connection', { connectionId: 'x_sandbox001/2' }],
    ['another user', { peerUid: 1001 }],
    ['another process', { peerPid: 7 }],
  ])('opens nothing for %s', (_, other) => {
    const { authority } = authorityFor();
    const token = authority.issue(HOLDER);
    expect(authority.redeem({ ...HOLDER, ...other }, { ...token, use: 1 })).toContain('wrong_holder');
  });

  it('opens nothing once the operation is over, and that is on record', async () => {
    const { authority, audit, advance } = authorityFor();
    authority.withdraw();
    const token = authority.issue(HOLDER);
    await advance(70);
    authority.withdraw();
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toContain('unknown');
    expect(audit.durable.map(({ event_type }) => event_type)).toEqual(['capability_issued', 'capability_expired']);
    expect(audit.durable[1]).toMatchObject({ capability_id: token.id, metadata: { call_id: 'c1', after_ms: '70' } });
  });

  it('that was used up leaves nothing to withdraw', () => {
    const { authority, audit } = authorityFor(['src/a.ts', 'src/b.ts']);
    authority.redeem(HOLDER, { ...authority.issue(HOLDER), use: 1 });
    authority.withdraw();
    expect(audit.durable.map(({ event_type }) => event_type)).toEqual(['capability_issued', 'syscall']);
  });

  it('opens nothing after its time', async () => {
    const { authority, advance } = authorityFor();
    const token = authority.issue(HOLDER);
    await advance(30_000);
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toContain('expired');
  });

  it('opens nothing when the state has changed meanwhile', () => {
    const { authority, session } = authorityFor();
    const token = authority.issue(HOLDER);
    session.updateRow({ state: 'reviewing' });
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toContain('wrong_state');
  });

  it('opens nothing that a built-in rule protects, whoever holds it', () => {
    const { authority } = authorityFor(['.git/config']);
    expect(authority.redeem(HOLDER, { ...authority.issue(HOLDER), use: 1 })).not.toBeNull();
  });

  it.each([
    ['a nonce made up', { nonce: 999 }],
    ['an id made up', { id: 'cap_999' }],
  ])('opens nothing with %s', (_, change) => {
    const { authority } = authorityFor();
    const token = authority.issue(HOLDER);
    expect(authority.redeem(HOLDER, { ...token, use: 1, ...change })).not.toBeNull();
  });

  it.each([0, Number.NaN, Number.POSITIVE_INFINITY])('is not issued with %d ms to live', (ttlMs) => {
    const { authority, audit } = authorityFor(['src/a.ts'], ttlMs);
    expect(() => authority.issue(HOLDER)).toThrow('a capability was refused: ttlMs must be 1 to ');
    expect(audit.durable).toEqual([]);
  });

  it('is gone after a failed try', () => {
    const { authority } = authorityFor();
    const token = authority.issue(HOLDER);
    authority.redeem({ ...HOLDER, peerUid: 0 }, { ...token, use: 1 });
    expect(authority.redeem(HOLDER, { ...token, use: 2 })).toContain('unknown');
  });
});
