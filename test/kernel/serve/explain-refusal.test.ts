import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CORE_TAGS } from '../../../src/contracts/policy.ts';
import type { PolicyRequest } from '../../../src/contracts/policy.ts';
import { combinePolicies, decide, loadPolicy } from '../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';
import { explainRefusal } from '../../../src/kernel/serve/explain-refusal.ts';
import type { Refusal } from '../../../src/contracts/model/refusal.ts';

const shipped = loadPolicy(readFileSync('policy.yaml', 'utf8'), 'policy.yaml');
if (shipped.kind !== 'ok') throw new Error('the shipped policy is invalid');
const own = loadPolicy(
  'capabilities: [{ name: frozen, match: { syscall: fs.write, path_glob: [src/] }, action: deny, reason: "Frozen" }]',
  '.fluffy/policy.yaml',
);
if (own.kind !== 'ok') throw new Error('invalid');
const combined = combinePolicies(shipped, own, { signed: true, file: '.fluffy/policy.yaml' });
if (combined.kind !== 'ok') throw new Error('invalid');
const FROZEN = combined.policy;
const { policy: SHIPPED } = shipped;

/** The refusal of a call as the pipeline keeps it. */
function refusalOf(policy: CompiledPolicy, asked: Partial<PolicyRequest> & { syscall: string }): Refusal {
  const request: PolicyRequest = {
    state: 'code_writing',
    mode: 'strict',
    tags: CORE_TAGS,
    plugin: 'fs-tool',
    template: 'code-executor',
    ...asked,
  };
  const { decision, rules, reasons } = decide(policy, request, { nowMonotonicMs: 0 });
  if (decision === 'allow') throw new Error('that is allowed');
  const { syscall, state, mode, path } = request;
  return {
    kind: 'policy',
    call_id: 'c1',
    syscall,
    state,
    mode,
    decision,
    target: path ?? null,
    plugin: 'fs-tool',
    facts: { template: 'code-executor', hasToken: true, sizeBytes: 0 },
    policy: policy.hash,
    rules: [...rules],
    reasons: [...reasons],
  };
}

describe('/why', () => {
  it('tells the call, its resolved target, every rule with layer and reason, and how to change it', () => {
    const told = explainRefusal(refusalOf(FROZEN, { syscall: 'fs.write', path: 'src/a.ts' }), FROZEN);
    expect(told).toContain('fs.write src/a.ts was denied in state code_writing, mode strict.\n  Frozen\n');
    expect(told).toContain('\n  deny frozen (yaml): Frozen\n');
    expect(told).toMatch(/\n {2}allow [a-z-]+ \(yaml\)/);
    expect(told).toContain('Change frozen with fluffy config policy edit.');
    expect(told).not.toContain('Another state');
  });

  it('does not call allowed what an allow is too small for', () => {
    const refusal = refusalOf(FROZEN, { syscall: 'fs.write', path: 'src/a.ts' });
    const facts = { template: 'code-executor', hasToken: true, sizeBytes: 5 * 1024 * 1024 } as const;
    expect(explainRefusal(refusal, SHIPPED)).toContain('the current policy allows it');
    expect(explainRefusal({ ...refusal, facts } as Refusal, SHIPPED)).not.toContain('allows it. Let');
  });

  it('says in which state the same call is allowed', () => {
    const told = explainRefusal(
      refusalOf(SHIPPED, { syscall: 'fs.write', path: 'src/a.ts', state: 'test_writing' }),
      SHIPPED,
    );
    expect(told).toMatch(/Another state: it is allowed in code_writing/);
  });

  it('names no place where there is none', () => {
    const told = explainRefusal(refusalOf(SHIPPED, { syscall: 'shell.run', plugin: 'shell-tool' }), SHIPPED);
    expect(told).not.toMatch(/Another (state|mode)/);
  });

  it('says that nothing lifts a built-in rule', () => {
    const told = explainRefusal(refusalOf(SHIPPED, { syscall: 'fs.write', path: '.fluffy/policy.yaml' }), SHIPPED);
    expect(told).toContain('deny protect-policy (builtin)');
    expect(told).toContain('Nothing: protect-policy is built in, and no policy lifts it.');
  });

  it('says that nothing allowed it where no rule did', () => {
    const told = explainRefusal(refusalOf(SHIPPED, { syscall: 'nobody.knows' }), SHIPPED);
    expect(told).toContain('No rule took part: what nothing allows is denied.');
    expect(told).toContain('A rule that allows it: fluffy config policy edit.');
  });

  it('says when the current policy would allow it', () => {
    const told = explainRefusal(refusalOf(FROZEN, { syscall: 'fs.write', path: 'src/a.ts' }), SHIPPED);
    expect(told).toContain('the current policy allows it');
    expect(told).toContain('The policy has changed since.');
  });

  it('says that a person could have allowed it', () => {
    const refusal = refusalOf(SHIPPED, { syscall: 'shell.run', mode: 'debug', state: 'exploring' });
    expect(explainRefusal(refusal, SHIPPED)).toContain('Your approval of the call, in a session in the terminal.');
  });

  it('tells of what no rule refused in its own words', () => {
    const refusal: Refusal = {
      kind: 'other',
      call_id: 'c1',
      syscall: 'fs.write',
      state: 'test_writing',
      mode: 'strict',
      code: 'tool_unavailable',
      message: 'fs.write on src/a.ts is not open in state test_writing. Write a failing test first.',
    };
    expect(explainRefusal(refusal, SHIPPED)).toBe(
      'fs.write was refused (tool_unavailable) in state test_writing, mode strict.\n\nfs.write on src/a.ts is not open in state test_writing. Write a failing test first.',
    );
  });
});
