import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AuditInput } from '../../../src/contracts/audit-entry.ts';
import type { CapabilityBinding } from '../../../src/contracts/policy.ts';
import type { SandboxId } from '../../../src/contracts/ids.ts';
import type { SessionState } from '../../../src/contracts/workflow-states.ts';
import { capabilityAuthority } from '../../../src/kernel/access/capability-authority.ts';
import type { Services } from '../../../src/kernel/services.ts';
import { CapabilityStore, loadPolicy } from '../../../src/kernel/policy/index.ts';
import type { Session } from '../../../src/kernel/session/session.ts';

const loaded = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (loaded.kind !== 'ok') throw new Error('the shipped policy is invalid');
const { policy } = loaded;

const HOLDER: CapabilityBinding = {
  sandboxId: 'x_sandbox001' as SandboxId,
  connectionId: 'x_sandbox001/1',
  peerUid: 1000,
  peerPid: null,
};

/** Just what the authority works with: a clock to turn, a store, a log that can be read. */
function scene(paths: readonly string[] = ['src/a.ts']) {
  let nowMs = 1000;
  let count = 0;
  const audit: AuditInput[] = [];
  const state: { current: SessionState } = { current: 'code_writing' };
  const session = {
    id: 's_session001',
    mode: 'strict',
    get state() {
      return state.current;
    },
    emit: () => undefined,
  } as unknown as Session;
  const services = {
    clock: { monotonicMs: () => nowMs, nowMs: () => nowMs },
    policy: () => policy,
    audit: { append: (entry: AuditInput) => audit.push(entry) },
    capabilities: new CapabilityStore(() => {
      count += 1;
      return `cap_${count}`;
    }),
  } as unknown as Services;
  const authority = capabilityAuthority(services, session, { callId: 'c1', syscall: 'fs.write', paths, ttlMs: 30_000 });
  return { authority, audit, state, pass: (ms: number) => (nowMs += ms), capabilities: services.capabilities };
}

describe('the capability of one operation', () => {
  it('opens it once, for the sandbox it was issued to, and is on record both times', () => {
    const { authority, audit } = scene();
    const token = authority.issue(HOLDER);
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toBeNull();
    expect(audit.map((entry) => entry.policy_decision)).toEqual(['allowed', 'allowed_by_token']);
    expect(authority.redeem(HOLDER, { ...token, use: 2 })).not.toBeNull();
  });

  it('opens all paths of an operation that has several', () => {
    const { authority } = scene(['src/a.ts', 'src/b [c].ts', 'src/*.ts']);
    expect(authority.redeem(HOLDER, { ...authority.issue(HOLDER), use: 1 })).toBeNull();
  });

  it.each<[string, Partial<CapabilityBinding>]>([
    ['another sandbox', { sandboxId: 'x_sandbox002' as SandboxId }],
    ['another connection', { connectionId: 'x_sandbox001/2' }],
    ['another user', { peerUid: 1001 }],
    ['another process', { peerPid: 7 }],
  ])('opens nothing for %s', (_, other) => {
    const { authority } = scene();
    const token = authority.issue(HOLDER);
    expect(authority.redeem({ ...HOLDER, ...other }, { ...token, use: 1 })).toContain('wrong_holder');
  });

  it('opens nothing once the operation is over, and that is on record', () => {
    const { authority, audit, pass } = scene();
    authority.withdraw();
    const token = authority.issue(HOLDER);
    pass(70);
    authority.withdraw();
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toContain('unknown');
    expect(audit.map(({ event_type }) => event_type)).toEqual(['capability_issued', 'capability_expired']);
    expect(audit[1]).toMatchObject({ capability_id: token.id, metadata: { call_id: 'c1', after_ms: '70' } });
  });

  it('that was used up leaves nothing to withdraw', () => {
    const { authority, audit } = scene(['src/a.ts', 'src/b.ts']);
    authority.redeem(HOLDER, { ...authority.issue(HOLDER), use: 1 });
    authority.withdraw();
    expect(audit.map(({ event_type }) => event_type)).toEqual(['capability_issued', 'syscall']);
  });

  it('opens nothing after its time', () => {
    const { authority, pass } = scene();
    const token = authority.issue(HOLDER);
    pass(30_000);
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toContain('expired');
  });

  it('opens nothing when the state has changed meanwhile', () => {
    const { authority, state } = scene();
    const token = authority.issue(HOLDER);
    state.current = 'reviewing';
    expect(authority.redeem(HOLDER, { ...token, use: 1 })).toContain('wrong_state');
  });

  it('opens nothing that a built-in rule protects, whoever holds it', () => {
    const { authority } = scene(['.git/config']);
    expect(authority.redeem(HOLDER, { ...authority.issue(HOLDER), use: 1 })).not.toBeNull();
  });

  it.each([
    ['a nonce made up', { nonce: 999 }],
    ['an id made up', { id: 'cap_999' }],
  ])('opens nothing with %s', (_, change) => {
    const { authority } = scene();
    const token = authority.issue(HOLDER);
    expect(authority.redeem(HOLDER, { ...token, use: 1, ...change })).not.toBeNull();
  });

  it('is gone after a failed try', () => {
    const { authority } = scene();
    const token = authority.issue(HOLDER);
    authority.redeem({ ...HOLDER, peerUid: 0 }, { ...token, use: 1 });
    expect(authority.redeem(HOLDER, { ...token, use: 2 })).toContain('unknown');
  });
});
