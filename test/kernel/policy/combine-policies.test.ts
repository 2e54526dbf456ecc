import { describe, expect, test } from 'vitest';
import type { PolicyRequest } from '../../../src/contracts/policy.ts';
import { SeededRandom } from './seeded-random.ts';
import { randomRequest, randomRules } from './reference/generate-policy.ts';
import {
  combinePolicies,
  decide,
  heldTo,
  loadPolicy,
  pathsOutsideExemption,
  whyUpdateDenied,
} from '../../../src/kernel/policy/index.ts';

const SEED = Number(process.env['FLUFFY_SEED'] ?? 11);
const STRICTNESS = { deny: 0, require_review: 1, allow: 2 } as const;
const SHIPPED = `
workspace: { test_globs: [test/], source_globs: ["**"] }
review: { max_diff_lines: 500, sensitive_globs: [package.json] }
network_whitelist: { ai-provider: ["api.example.com:443", "models.example.org:443"], integration-test: [] }
tdd_exemptions:
  documentation: { path_glob: ["*.md"] }
  config_change: { path_glob: ["*.json"] }
sanitizer: { max_result_tokens: 4000 }
scheduler: { global_max: 4 }
capabilities:
  - { name: read, match: { syscall: fs.read }, action: allow }
  - { name: write-tests, match: { syscall: fs.write, state_machine_state: test_writing, path_glob: test/ }, action: allow }
  - { name: write-source, match: { syscall: fs.write, state_machine_state: code_writing }, action: allow }
  - { name: no-secrets, match: { path_glob: .env }, action: deny, reason: shipped }
`;

function load(text: string, file = 'policy.yaml') {
  const loaded = loadPolicy(text, file);
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
  return loaded;
}

function combine(project: string, signed = false) {
  const combined = combinePolicies(load(SHIPPED), load(project, '.fluffy/policy.yaml'), {
    signed,
    file: '.fluffy/policy.yaml',
  });
  if (combined.kind === 'invalid') throw new Error(JSON.stringify(combined.errors));
  return combined;
}

function verdict(project: string, request: Partial<PolicyRequest>, signed = false) {
  const full: PolicyRequest = { syscall: 'fs.read', state: 'idle', mode: 'strict', tags: [], ...request };
  return decide(combine(project, signed).policy, full, { nowMonotonicMs: 0 }).decision;
}

const rule = (name: string, match: string, action: string) =>
  `capabilities: [{ name: ${name}, match: ${match}, action: ${action} }]`;

describe('an unsigned project policy', () => {
  test.each(['deny', 'require_review'])('cannot keep its owner from changing it, by a %s', (action) => {
    const { policy } = combine(rule('locked', '{ syscall: [policy.update, fs.read] }', action));
    expect(whyUpdateDenied(policy)).toBeNull();
    expect(verdict(rule('locked', '{ syscall: [policy.update, fs.read] }', action), { path: 'a' })).toBe(action);
  });

  test('can forbid and ask', () => {
    expect(verdict(rule('a', '{ path_glob: vendor/ }', 'deny'), { path: 'vendor/a' })).toBe('deny');
    expect(verdict(rule('a', '{ path_glob: vendor/ }', 'require_review'), { path: 'vendor/a' })).toBe('require_review');
    expect(verdict(rule('a', '{ path_glob: vendor/ }', 'deny'), { path: 'src/a' })).toBe('allow');
  });

  test('asks about nothing that is denied without it', () => {
    const asking = rule('shell', '{ syscall: [shell.run, fs.read] }', 'require_review');
    const request = { syscall: 'shell.run', state: 'idle', mode: 'strict', tags: [] } as const;
    const decision = decide(combine(asking).policy, request, { nowMonotonicMs: 0 });
    expect(decision.decision).toBe('deny');
    expect(decision.reasons).toEqual(['no rule allows shell.run here (state idle, mode strict)']);
    expect(decision.rules).toEqual([{ name: 'shell', layer: 'yaml', action: 'require_review' }]);
    expect(verdict(asking, { path: '.env' })).toBe('deny');
    expect(verdict(asking, request, true)).toBe('require_review');
  });

  test('asks about nothing that the shipped allow is too small for', () => {
    const shipped = load(
      'capabilities: [{ name: w, match: { syscall: fs.edit }, action: allow, constraints: { max_file_size: 10 } }]',
    );
    const asking = load(rule('ask', '{ syscall: fs.edit }', 'require_review'));
    const combined = combinePolicies(shipped, asking, { signed: false, file: 'p' });
    if (combined.kind === 'invalid') throw new Error('invalid');
    const request = { syscall: 'fs.edit', path: 'a', state: 'idle', mode: 'strict', tags: [] } as const;
    const decision = decide(combined.policy, request, { nowMonotonicMs: 0 });
    const facts = { template: 'code-executor', hasToken: true } as const;
    expect(heldTo(decision, { ...facts, sizeBytes: 10 }).decision).toBe('require_review');
    expect(heldTo(decision, { ...facts, sizeBytes: 11 })).toMatchObject({
      decision: 'deny',
      reasons: [expect.stringContaining('would have 11 bytes')],
    });
  });

  test(`is never laxer than what ships (seed ${SEED})`, () => {
    const random = new SeededRandom(SEED);
    const stricter = { allow: 0, require_review: 0 };
    for (let round = 0; round < 400; round += 1) {
      const shipped = load(JSON.stringify({ capabilities: randomRules(random) }));
      const project = load(JSON.stringify({ capabilities: randomRules(random) }));
      const combined = combinePolicies(shipped, project, { signed: false, file: 'p' });
      if (combined.kind === 'invalid') throw new Error(JSON.stringify(combined.errors));
      for (let index = 0; index < 20; index += 1) {
        const request = randomRequest(random) as PolicyRequest;
        const alone = decide(shipped.policy, request, { nowMonotonicMs: 0 }).decision;
        const { decision } = decide(combined.policy, request, { nowMonotonicMs: 0 });
        expect(STRICTNESS[decision]).toBeLessThanOrEqual(STRICTNESS[alone]);
        if (decision !== alone && alone !== 'deny') stricter[alone] += 1;
      }
    }
    expect(Math.min(stricter.allow, stricter.require_review)).toBeGreaterThan(20);
  });

  test('can not allow, and a warning says where it tried', () => {
    const project = rule('shell', '{ syscall: shell.run }', 'allow');
    expect(verdict(project, { syscall: 'shell.run' })).toBe('deny');
    expect(combine(project).warnings).toEqual([
      {
        file: '.fluffy/policy.yaml',
        line: 1,
        column: 16,
        severity: 'warning',
        message: expect.stringContaining('"shell"') as unknown,
      },
    ]);
  });

  test('can not take a shipped rule away by its name', () => {
    const project = rule('no-secrets', '{ path_glob: other }', 'pass');
    expect(verdict(project, { path: '.env' })).toBe('deny');
    const denied = decide(
      combine(rule('no-secrets', '{ path_glob: other }', 'deny')).policy,
      { syscall: 'fs.read', path: 'other', state: 'idle', mode: 'strict', tags: [] },
      { nowMonotonicMs: 0 },
    );
    expect(denied.rules).toContainEqual({ name: 'no-secrets (project)', layer: 'yaml', action: 'deny' });
  });

  test('can only narrow what may be written', () => {
    const project = 'workspace: { test_globs: [src/, test/unit/], source_globs: [src/] }';
    const write = (state: 'test_writing' | 'code_writing', path: string) =>
      verdict(project, { syscall: 'fs.write', state, path });
    expect(write('test_writing', 'test/unit/a')).toBe('allow');
    expect(write('test_writing', 'test/other/a')).toBe('deny');
    expect(write('test_writing', 'src/a')).toBe('deny');
    expect(write('code_writing', 'src/a')).toBe('allow');
    expect(write('code_writing', 'lib/a')).toBe('deny');
  });

  test('can only narrow review, hosts, exemptions and results', () => {
    const { policy } = combine(`
review: { max_diff_lines: 100, sensitive_globs: [schema.sql] }
network_whitelist: { ai-provider: ["*.example.com:443", "evil.example:443"], integration-test: [evil.example], own: [evil.example] }
tdd_exemptions: { documentation: { path_glob: [docs/] }, asset_update: { path_glob: ["**"] } }
sanitizer: { max_result_tokens: 100, patterns: [{ name: mine, prefix: itk_ }] }
`);
    expect(policy.review.maxDiffLines).toBe(100);
    expect(policy.review.sensitive.sources).toEqual(['package.json', 'schema.sql']);
    expect([...policy.networkWhitelist].map(([group, hosts]) => [group, hosts.map(({ source }) => source)])).toEqual([
      ['ai-provider', ['api.example.com:443']],
      ['integration-test', []],
    ]);
    expect(pathsOutsideExemption(policy, 'documentation', ['docs/a.md', 'README.md', 'docs/a.ts'])).toEqual([
      'README.md',
      'docs/a.ts',
    ]);
    expect(pathsOutsideExemption(policy, 'asset_update', ['a.png'])).toEqual(['a.png']);
    expect(pathsOutsideExemption(policy, 'config_change', ['a.json'])).toEqual([]);
    expect(policy.sanitizer).toEqual({
      maxResultTokens: 100,
      patterns: [{ name: 'mine', prefix: 'itk_', minLength: 5 }],
    });
  });

  test('can ask for a better grade, and not for a worse one', () => {
    const asked = combine('review: { auto_approve: ["lines>=50%"], mutation: run }').policy.review;
    expect(asked.autoApprove).toEqual([
      { kind: 'status', status: 'verified' },
      { kind: 'share', of: 'mutants', percent: 66 },
      { kind: 'share', of: 'lines', percent: 50 },
    ]);
    expect(combine('review: { auto_approve: never }').policy.review.autoApprove).toBe('never');
    expect(combine('review: { auto_approve: [attested], mutation: skip }').policy.review).toMatchObject({
      mutation: 'run',
      autoApprove: [{ status: 'verified' }, { of: 'mutants' }, { status: 'attested' }],
    });
  });

  test('can not widen them either', () => {
    const { policy } = combine(
      'review: { max_diff_lines: 100000, sensitive_globs: [] }\nsanitizer: { max_result_tokens: 100000 }',
    );
    expect(policy.review.maxDiffLines).toBe(500);
    expect(policy.review.sensitive.sources).toEqual(['package.json']);
    expect(policy.sanitizer.maxResultTokens).toBe(4000);
  });

  test('changes nothing of schedule, audit, debt or extensions, and a warning says so', () => {
    const { policy, warnings } = combine(`
scheduler: { global_max: 64 }
audit: { retention_days: 1 }
tech_debt: { coverage: { lockout_threshold: -100 } }
extensions: [{ name: e, entry: e.ts, sha256: "${'0'.repeat(64)}" }]
`);
    expect(policy).toMatchObject({
      scheduler: { globalMax: 4 },
      audit: { retentionDays: 90 },
      techDebt: { lockoutThreshold: -5 },
      extensions: [],
    });
    expect(warnings.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });
});

describe('a signed project policy', () => {
  test('can allow', () => {
    expect(verdict(rule('shell', '{ syscall: shell.run }', 'allow'), { syscall: 'shell.run' }, true)).toBe('allow');
  });

  test('can take the place of a shipped rule, or take it away', () => {
    expect(verdict(rule('no-secrets', '{ path_glob: .env.production }', 'deny'), { path: '.env' }, true)).toBe('allow');
    expect(verdict(rule('no-secrets', '{ path_glob: .env }', 'pass'), { path: '.env' }, true)).toBe('allow');
  });

  test('leaves in force what it does not mention', () => {
    const { policy } = combine(rule('shell', '{ syscall: shell.run }', 'allow'), true);
    expect(policy.review.sensitive.sources).toEqual(['package.json']);
    expect(verdict(rule('shell', '{ syscall: shell.run }', 'allow'), { path: '.env' }, true)).toBe('deny');
  });

  test('can not touch built-in rules', () => {
    const project = rule('protect-policy', '{ path_glob: "**" }', 'allow');
    expect(verdict(project, { syscall: 'fs.write', path: '.fluffy/policy.yaml' }, true)).toBe('deny');
  });
});

test('an empty project policy is an error, signed or not', () => {
  for (const signed of [true, false]) {
    const combined = combinePolicies(load(SHIPPED), load('# nothing'), { signed, file: '.fluffy/policy.yaml' });
    expect(combined.kind).toBe('invalid');
  }
});

test('the hash tells shipped text, project text and trust apart', () => {
  const project = rule('a', '{ path_glob: vendor/ }', 'deny');
  const hashes = [
    load(SHIPPED).policy.hash,
    combine(project).policy.hash,
    combine(project, true).policy.hash,
    combine(`${project}\n`).policy.hash,
  ];
  expect(new Set(hashes).size).toBe(4);
});
