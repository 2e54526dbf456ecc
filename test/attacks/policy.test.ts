import { describe, expect, test } from 'vitest';
import { sandboxIdSchema } from '../../src/contracts/ids.ts';
import type { CapabilityBinding, PolicyRequest } from '../../src/contracts/policy.ts';
import { resolveTargets } from '../../src/kernel/call/resolve.ts';
import {
  CapabilityStore,
  GlobSet,
  READ_SYSCALLS,
  authorize,
  decide,
  lexicalTarget,
  loadPolicy,
  parseGlob,
} from '../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../src/kernel/policy/index.ts';
import { fixture } from '../platform/fs/fixture.ts';
import { useOf } from '../support/kernel/calls.ts';

const ALLOW_ALL = 'capabilities: [{ name: all, match: { session_mode: [strict, explore, debug] }, action: allow }]';

function load(text: string): CompiledPolicy {
  const loaded = loadPolicy(text, 'policy.yaml');
  if (loaded.kind === 'invalid') throw new Error(loaded.errors.map(({ message }) => message).join('\n'));
  return loaded.policy;
}

function ask(policy: CompiledPolicy, request: Partial<PolicyRequest>): string {
  const full: PolicyRequest = { syscall: 'fs.write', state: 'code_writing', mode: 'strict', tags: [], ...request };
  return decide(policy, full, { nowMonotonicMs: 0 }).decision;
}

describe('an allow is never wider than it looks', () => {
  test.each([
    ['braces', 'src/{a,../../etc}/x', 'src/a/x'],
    ['a brace range', 'src/{a..z}', 'src/b'],
    ['an extended glob', '!(secret)', 'public'],
    ['an extended glob', '@(src|.ssh)/x', '.ssh/x'],
    ['an extended glob', '+(a)', 'aaa'],
    ['negation', '!secret', 'public'],
    ['a slash in brackets', 'src[/]x', 'src/x'],
    ['a slash in a range of brackets', 'src[.-0]x', 'src/x'],
    ['a negated class', 'src[!a]x', 'src/x'],
    ['a question mark', 'src?x', 'src/x'],
    ['a star', 'src*x', 'src/a/x'],
    ['an alternation', '(src|.ssh)', '.ssh'],
    ['a regular expression', '/.+/', 'a'],
    ['a dot', 'a.b', 'aXb'],
  ])('by %s: %s does not open %s', (_, pattern, path) => {
    const text = JSON.stringify({ capabilities: [{ name: 'a', match: { path_glob: pattern }, action: 'allow' }] });
    const loaded = loadPolicy(text, 'policy.yaml');
    if (loaded.kind === 'ok') expect(ask(loaded.policy, { path })).toBe('deny');
    else expect(loaded.errors[0]?.message).toContain('pattern');
  });
});

test('a deny does not miss dotfiles', () => {
  const denyAll = (pattern: string) =>
    load(JSON.stringify({ capabilities: [{ name: 'd', match: { path_glob: pattern }, action: 'deny' }, ...allowAll] }));
  for (const pattern of ['*', '**', '**/*', 'config/*', 'config/**', 'config/', 'config/?*', 'config/[.a]*']) {
    expect([pattern, ask(denyAll(pattern), { path: 'config/.hidden' })]).toEqual([pattern, 'deny']);
  }
});

const allowAll = [{ name: 'all', match: { path_glob: '**' }, action: 'allow' }];

/** Patterns that make backtracking matchers take for ever, on paths that they almost match. */
describe('no pattern takes long on any path', () => {
  const paths = [
    'a'.repeat(4096),
    `${'a'.repeat(4095)}b`,
    'a/'.repeat(2048).slice(0, -1),
    `${'ab/'.repeat(1365)}c`,
    `${'aaaaaaaa/'.repeat(455)}x`,
  ];
  test.each([
    '*a*a*a*a*a*a',
    `${'*a'.repeat(500)}b`,
    `${'a*'.repeat(500)}b`,
    `${'?*'.repeat(500)}b`,
    `${'[ab]*'.repeat(200)}c`,
    `${'[[:alpha:]]*'.repeat(80)}1`,
    `${'**/a/'.repeat(200)}b`,
    `${'**/*a*/'.repeat(140)}b`,
    `${'*/'.repeat(500)}b`,
    `**/${'a/'.repeat(500)}b`,
    `${'\\*'.repeat(500)}`,
    `${'*'.repeat(1000)}`,
  ])('(%#)', (pattern) => {
    const parsed = parseGlob(pattern);
    if (parsed.kind === 'refused') throw new Error(parsed.reason);
    const set = new GlobSet([parsed.glob]);
    for (const path of paths) {
      expect(fastestMs(() => set.matches(path))).toBeLessThan(400);
    }
  });
});

/** Of the processor, and of three runs, so that other work on the machine does not count as ours. */
function fastestMs(operation: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    operation();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

describe('the agent can not change the policy', () => {
  const open = load(ALLOW_ALL);
  const writes = [
    'fs.write',
    'fs.edit',
    'fs.delete',
    'fs.move',
    'test.run',
    'shell.run',
    'git.commit',
    'vendor.anything',
    'policy.updated',
  ];
  test.each([
    '.fluffy',
    '.fluffy/',
    '.fluffy/policy.yaml',
    '.fluffy/config.yaml',
    '.fluffy/coverage-baseline.json',
    'packages/a/.fluffy/policy.yaml',
    '.FLUFFY/policy.yaml',
    '.flu\u200Bffy/policy.yaml',
    '.fluﬀy/policy.yaml',
    '.fluffy./policy.yaml',
    '.fluffy /policy.yaml',
    '.fluffy::$DATA/policy.yaml',
  ])('by writing %j', (path) => {
    for (const syscall of writes) expect([syscall, ask(open, { syscall, path })]).toEqual([syscall, 'deny']);
  });

  test('by a link that points there', async () => {
    const { project, open: openWorkspace } = fixture({ docs: '-> ./.fluffy' });
    const use = useOf('fs.write', { path: 'docs/policy.yaml', content: '' });
    const outcome = await resolveTargets(use, await openWorkspace(), project);
    expect(outcome).toMatchObject({ kind: 'ok', targets: { writes: ['.fluffy/policy.yaml'] } });
    expect(ask(open, { path: '.fluffy/policy.yaml' })).toBe('deny');
  });

  test('by asking for it: a human has to agree, whatever the policy allows', () => {
    expect(ask(open, { syscall: 'policy.update' })).toBe('require_review');
    expect(ask(open, { syscall: 'policy.update', path: 'x', tags: ['core_plugin'] })).toBe('require_review');
  });
});

test('built-in denials hold for every caller, mode, state and sandbox', () => {
  const open = load(ALLOW_ALL);
  for (const path of [
    '.git/config',
    'a/.git/hooks/x',
    '.fluffy/x',
    'node_modules/fluffy/dist/kernel.mjs',
    '.config/fluffy/keys/k',
    '.local/state/fluffy/x',
  ]) {
    for (const mode of ['strict', 'explore', 'debug'] as const) {
      for (const request of [
        { tags: ['core_plugin', 'trusted_write'] },
        { plugin: 'fs-tool' },
        { template: 'code-executor' as const },
        { state: 'exploring' as const },
      ]) {
        expect([path, ask(open, { path, mode, ...request })]).toEqual([path, 'deny']);
      }
    }
  }
});

test('state, audit log and keys can not even be read', () => {
  const open = load(ALLOW_ALL);
  for (const path of [
    '.config/fluffy/keys/anthropic',
    '.local/state/fluffy/projects/a/kernel/fluffy.db',
    '.local/state/fluffy/projects/a/host/anchors.jsonl',
  ]) {
    for (const syscall of READ_SYSCALLS) expect([path, ask(open, { syscall, path })]).toEqual([path, 'deny']);
  }
});

test('a subagent or plugin, however tagged, loses no deny', () => {
  const policy = load(`capabilities:
  - { name: all, match: { session_mode: strict }, action: allow }
  - { name: trusted, match: { caller_tag: [core_plugin, trusted_write] }, action: allow }
  - { name: no-vendor, match: { path_glob: vendor/ }, action: deny }`);
  for (const tags of [[], ['core_plugin'], ['trusted_write', 'third_party'], ['__proto__'], ['constructor']]) {
    expect(ask(policy, { path: 'vendor/x', tags })).toBe('deny');
    expect(ask(policy, { path: 'vendor/x', tags, plugin: 'sub-agent' })).toBe('deny');
  }
});

test('the last of twenty thousand rules is checked like the first', () => {
  const many = Array.from(
    { length: 20_000 },
    (_, index) => `  - { name: a${index}, match: { syscall: fs.write, path_glob: /d${index}/ }, action: allow }`,
  );
  const text = [
    'capabilities:',
    ...many,
    '  - { name: z, match: { syscall: fs.write, path_glob: "*.lock" }, action: deny }',
  ].join('\n');
  const policy = load(text);
  expect(ask(policy, { path: 'd19999/a.lock' })).toBe('deny');
  expect(ask(policy, { path: 'd19999/a.ts' })).toBe('allow');
});

test('a deny at the end of a path of two thousand names is checked', () => {
  const policy = load(
    'capabilities: [{ name: all, match: { syscall: fs.write }, action: allow }, { name: d, match: { path_glob: "**/a/key" }, action: deny }]',
  );
  expect(ask(policy, { path: `${'a/'.repeat(2000)}key` })).toBe('deny');
  expect(ask(policy, { path: `${'a/'.repeat(2000)}kez` })).toBe('allow');
});

test('a deny after a thousand other globs, tags and exceptions of a rule is checked', () => {
  const globs = [...Array.from({ length: 2000 }, (_, index) => `/d${index}/`), '*.pem'];
  const exceptions = Array.from({ length: 2000 }, (_, index) => ({ caller_tag: `t${index}` }));
  const policy = load(
    JSON.stringify({
      capabilities: [...allowAll, { name: 'd', match: { path_glob: globs }, except: exceptions, action: 'deny' }],
    }),
  );
  expect(ask(policy, { path: 'x/a.pem' })).toBe('deny');
  expect(ask(policy, { path: 'x/a.pem', tags: ['t1999'] })).toBe('allow');
});

describe('tokens', () => {
  const holder: CapabilityBinding = {
    sandboxId: sandboxIdSchema.parse('x_aaaaaaaa'),
    connectionId: 'c1',
    peerUid: 1000,
    peerPid: 7,
  };
  const nothing = load('capabilities: []');
  const request: PolicyRequest = {
    syscall: 'fs.write',
    path: 'src/a',
    state: 'code_writing',
    mode: 'strict',
    tags: [],
  };

  function issue(maxOps = 1) {
    let ids = 0;
    const store = new CapabilityStore(() => `k${(ids += 1)}`);
    const issued = store.issue(
      { syscall: 'fs.write', paths: ['src/'], state: 'code_writing', maxOps, ttlMs: 1000 },
      holder,
      5_000,
    );
    if (issued.kind === 'refused') throw new Error(issued.reason);
    const { id, nonce } = issued.capability;
    const use = (
      changes: { by?: Partial<CapabilityBinding>; nowMonotonicMs?: number; use?: number; nonce?: number } = {},
    ) =>
      authorize(nothing, store, request, {
        nowMonotonicMs: changes.nowMonotonicMs ?? 5_000,
        presented: { id, nonce: changes.nonce ?? nonce, use: changes.use ?? 1 },
        by: { ...holder, ...changes.by },
      }).decision;
    return { store, use };
  }

  test('a nonce that was used up opens nothing again', () => {
    const { use } = issue();
    expect([use(), use(), use({ use: 2 })]).toEqual(['allow', 'deny', 'deny']);
  });

  test('a frame that is sent a second time opens nothing', () => {
    const { use } = issue(5);
    expect([use({ use: 3 }), use({ use: 3 }), use({ use: 2 })]).toEqual(['allow', 'deny', 'deny']);
  });

  test('expired, or with the clock set back, it opens nothing', () => {
    expect([
      issue().use({ nowMonotonicMs: 6_000 }),
      issue().use({ nowMonotonicMs: 4_999 }),
      issue().use({ nowMonotonicMs: Number.NaN }),
    ]).toEqual(['deny', 'deny', 'deny']);
  });

  test('from another sandbox, connection or user, or after its process id was given to another, it opens nothing', () => {
    const others: Partial<CapabilityBinding>[] = [
      { sandboxId: sandboxIdSchema.parse('x_bbbbbbbb') },
      { connectionId: 'c2' },
      { peerUid: 0 },
      { peerPid: 8 },
      { connectionId: 'c2', peerPid: 7 },
    ];
    for (const by of others) expect(issue().use({ by })).toBe('deny');
  });

  test('fifty that race for three operations get three', async () => {
    const { use } = issue(3);
    const racing = Array.from({ length: 50 }, async (_, index) => {
      await Promise.resolve();
      return use({ use: index + 1 });
    });
    expect((await Promise.all(racing)).filter((decision) => decision === 'allow')).toHaveLength(3);
  });
});

describe('an extension that does not answer as it should denies', () => {
  const text = `${ALLOW_ALL}\nextensions: [{ name: judge, entry: judge.ts, sha256: "${'0'.repeat(64)}" }]`;
  const policy = load(text);
  const request: PolicyRequest = { syscall: 'fs.write', path: 'a', state: 'idle', mode: 'strict', tags: [] };
  test.each([
    ['is late or loops', [{ kind: 'failed' as const, name: 'judge', failure: 'no answer within 100 ms' }]],
    ['throws', [{ kind: 'failed' as const, name: 'judge', failure: 'it threw' }]],
    ['is not there', []],
    ['has another name', [{ kind: 'answered' as const, name: 'other', action: 'allow' as const }]],
  ])('when it %s', (_, extensionResults) => {
    expect(decide(policy, request, { nowMonotonicMs: 0, extensionResults }).decision).toBe('deny');
  });

  test('when nobody asked it', () => {
    expect(decide(policy, request, { nowMonotonicMs: 0 }).decision).toBe('deny');
  });
});

test('what was sent and what is opened are the same after normalising', () => {
  for (const sent of ['src/../.fluffy/policy.yaml', './.fluffy//policy.yaml', 'a/b/../../.fluffy/./policy.yaml']) {
    const target = lexicalTarget(sent, '/p');
    expect(target.kind === 'ok' && ask(load(ALLOW_ALL), { path: target.path })).toBe('deny');
    expect(ask(load(ALLOW_ALL), { path: sent })).toBe('deny');
  }
});
