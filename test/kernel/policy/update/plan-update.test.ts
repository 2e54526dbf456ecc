import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../../src/contracts/audit-entry.ts';
import type { PolicyRequest } from '../../../../src/contracts/policy.ts';
import {
  PolicyHolder,
  auditedRequests,
  combinePolicies,
  decide,
  describeChange,
  loadPolicy,
  planUpdate,
  requestMetadata,
} from '../../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../../src/kernel/policy/index.ts';

function load(rules: string): CompiledPolicy {
  const loaded = loadPolicy(`capabilities: [${rules}]`, 'p');
  if (loaded.kind === 'invalid') throw new Error('invalid');
  return loaded.policy;
}

const allow = (syscall: string) => `{ name: a-${syscall}, match: { syscall: ${syscall} }, action: allow }`;
const request = (syscall: string, path = 'a'): PolicyRequest => ({
  syscall,
  path,
  state: 'idle',
  mode: 'strict',
  tags: [],
});

const ENTRY: AuditEntry = {
  id: 1,
  timestamp: 0,
  prev_hash: '',
  hash: '',
  event_type: 'syscall',
  syscall_type: 'fs.move',
  caller: 'kernel',
  session_mode: 'explore',
  state_machine_state: 'exploring',
  policy_decision: 'allowed',
  input_summary: 'a b',
};

test('only changed results are told, breaking ones first, equal ones once', () => {
  const before = load(`${allow('fs.read')}, ${allow('fs.list')}`);
  const after = load(
    `${allow('fs.list')}, ${allow('fs.write')}, { name: r, match: { syscall: git.log }, action: require_review }`,
  );
  const requests = [
    request('fs.list'),
    request('fs.write'),
    request('git.log'),
    request('fs.read'),
    request('fs.read'),
    request('fs.read', 'b'),
  ];
  const plan = planUpdate(before, after, requests);
  expect(plan.changes.map(describeChange)).toEqual([
    '[BREAKING] fs.read a (idle, strict, 2 times): allow -> deny',
    '[BREAKING] fs.read b (idle, strict): allow -> deny',
    'fs.write a (idle, strict): deny -> allow',
    'git.log a (idle, strict): deny -> require_review',
  ]);
  expect(plan).toMatchObject({ breaking: 2 });
});

test('what is lost, and what any of a fixed set of requests is answered more widely, is said whatever was asked lately', () => {
  const before = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
  const own = loadPolicy(
    `capabilities:
  - { name: secrets-are-out-of-reach, match: { path_glob: [other] }, action: deny }
  - { name: tests-are-frozen, match: { path_class: test }, action: pass }
review: { sensitive_globs: [[], a] }
tdd_exemptions: { documentation: { path_glob: ["*.txt"] } }
`,
    'p',
  );
  if (before.kind === 'invalid' || own.kind === 'invalid') throw new Error('invalid');
  const after = combinePolicies(before, own, { signed: true, file: 'p' });
  if (after.kind === 'invalid') throw new Error('invalid');
  const { lines, phrase } = planUpdate(before.policy, after.policy, []);
  expect(lines.filter((line) => !line.startsWith('['))).toEqual([
    'rule "secrets-are-out-of-reach" is another one: deny -> deny',
    'rule "tests-are-frozen" is another one: deny -> pass',
    expect.stringMatching(/^review\.sensitive_globs loses .*"\.mcp\.json"/) as unknown,
  ]);
  expect(lines).toContain('[WIDER] fs.read .env (idle, strict): deny -> allow');
  expect(lines).toContain('[WIDER] fs.write test/app.test.ts (code_writing, strict): deny -> allow');
  expect(phrase).toMatch(/^allow \d+ denied requests$/);
  expect(planUpdate(before.policy, before.policy, [])).toMatchObject({ lines: [], phrase: null });
});

test('six breaking changes take a phrase, five do not', () => {
  const before = load(allow('fs.read'));
  const requests = Array.from({ length: 6 }, (_, index) => request('fs.read', `f${index}`));
  expect(planUpdate(before, load(''), requests.slice(1)).phrase).toBe(null);
  expect(planUpdate(before, load(''), requests).phrase).toBe('accept 6 breaking changes');
});

test('a request keeps the policy it began with; the next one gets the new one', () => {
  const holder = new PolicyHolder(load(allow('fs.read')));
  const inFlight = holder.current();
  const next = load('');
  expect(holder.replace(next)).toBe(true);
  expect(holder.replace(next)).toBe(false);
  expect(decide(inFlight, request('fs.read'), { nowMonotonicMs: 0 }).decision).toBe('allow');
  expect(decide(holder.current(), request('fs.read'), { nowMonotonicMs: 0 }).decision).toBe('deny');
});

describe('what an update would change is found for', () => {
  const asked: PolicyRequest = {
    syscall: 'ai.generate',
    state: 'planning',
    mode: 'strict',
    tags: ['core_plugin', 'user_endpoint'],
    plugin: 'provider:openai',
    host: 'models.example.org:443',
    template: 'ai-provider',
  };
  const facts = { template: 'ai-provider', hasToken: false, sizeBytes: 12 } as const;
  const before = load(allow('ai.generate'));
  const [audited] = auditedRequests({
    ...ENTRY,
    syscall_type: 'ai.generate',
    session_mode: 'strict',
    state_machine_state: 'planning',
    input_summary: 'openai/gpt',
    metadata: requestMetadata([asked], facts),
  });

  test('all that was asked, as it was asked', () => {
    expect(audited).toEqual({ ...asked, facts });
  });

  test.each([
    ['its plugin', '{ plugin: "provider:openai" }'],
    ['its host', '{ host: "models.example.org:443" }'],
    ['its tags', '{ caller_tag: user_endpoint }'],
    ['its sandbox', '{ sandbox_template: ai-provider }'],
  ])('a deny of %s', (_title, match) => {
    const after = load(`${allow('ai.generate')}, { name: no, match: ${match}, action: deny }`);
    expect(planUpdate(before, after, audited === undefined ? [] : [audited])).toMatchObject({ breaking: 1 });
  });

  test.each([
    ['a size', 'max_file_size: 11', 1],
    ['a size that is kept to', 'max_file_size: 12', 0],
    ['a sandbox', 'require_sandbox: code-executor', 1],
    ['the sandbox that it has', 'require_sandbox: ai-provider', 0],
    ['a token', 'require_capability_token: true', 1],
  ])('an allow that is tied to %s', (_title, constraints, breaking) => {
    const tied = `{ name: tied, match: { syscall: ai.generate }, action: allow, constraints: { ${constraints} } }`;
    expect(planUpdate(before, load(tied), audited === undefined ? [] : [audited])).toMatchObject({ breaking });
  });
});

test('of many paths as many are kept as there is room for, each whole', () => {
  const paths = Array.from({ length: 500 }, (_, index) => `src/"quoted"/${index}.ts`);
  const all = paths.map((path) => request('fs.delete', path));
  const metadata = requestMetadata([request('fs.delete', paths[0]), ...all.slice(1)], {});
  expect(metadata.targets.length).toBeLessThanOrEqual(1900);
  const kept = auditedRequests({ ...ENTRY, syscall_type: 'fs.delete', metadata }).map(({ path }) => path);
  expect(kept.length).toBeGreaterThan(50);
  expect(kept).toEqual(paths.slice(0, kept.length));
  const long = requestMetadata([request('fs.write', 'x'.repeat(3_000))], {});
  expect(auditedRequests({ ...ENTRY, syscall_type: 'fs.write', metadata: long })).toEqual([]);
});

test('audited calls are read back as the requests they were', () => {
  const base = { syscall: 'fs.move', state: 'exploring', mode: 'explore', tags: ['core_plugin'] };
  expect(auditedRequests({ ...ENTRY, metadata: { targets: '["a b","c"]' } })).toEqual([
    { ...base, path: 'a b' },
    { ...base, path: 'c' },
  ]);
  expect(auditedRequests({ ...ENTRY, input_summary: 'src/a.ts' })).toEqual([{ ...base, path: 'src/a.ts' }]);
  expect(auditedRequests({ ...ENTRY, input_summary: '' })).toEqual([base]);
  const model = { ...ENTRY, syscall_type: 'ai.generate', input_summary: 'replay//a/turns.jsonl' };
  expect(auditedRequests(model)).toEqual([{ ...base, syscall: 'ai.generate' }]);
  expect(auditedRequests({ ...ENTRY, event_type: 'tool_result' })).toEqual([]);
  expect(auditedRequests({ ...ENTRY, policy_decision: 'allowed_by_token' })).toEqual([]);
  expect(auditedRequests({ ...ENTRY, metadata: { targets: '{"not":"a list"}' } })).toEqual([base]);
});
