/**
 * How long a policy decision takes, paths being resolved already: by a capability token, and in full by all rules, at 10 to 10,000 rules
 * (8 syscalls, 40 per cent deny), each against a bare loop over the precompiled matchers of the same rules; and loading 1,000 rules.
 * What is compared takes turns in one process, so ratios hold on a busy machine where times do not.
 *
 *   node bin/bench/policy.mjs [--json]
 */
import { fileURLToPath } from 'node:url';
import { loadPolicy, decide, CapabilityStore } from '../../src/kernel/policy/index.ts';
import { matchGlob } from '../../src/lib/globs/match-glob.ts';
import { toMatchable } from '../../src/lib/globs/matchable-path.ts';

const SYSCALLS = ['fs.read', 'fs.write', 'fs.delete', 'fs.move', 'test.run', 'shell.run', 'git.commit', 'search.grep'];
const SIZES = [10, 100, 1_000, 10_000];
const REQUESTS = 2_048;
function rulesOf(size) {
  return Array.from({ length: size }, (_, index) => {
    const directory = `packages/p${index % 997}/src/m${index}`;
    const path_glob = index % 10 === 0 ? [`*.gen${index}.ts`] : [`${directory}/**`, `${directory}.test.ts`];
    return {
      name: `rule-${index}`,
      match: { syscall: SYSCALLS[index % SYSCALLS.length], path_glob },
      action: index % 5 < 2 ? 'deny' : 'allow',
    };
  });
}

/** Two in three are of a path that a rule is about. Parsed, as those of a model are. */
function requestsOf(size) {
  const requests = Array.from({ length: REQUESTS }, (_, index) => {
    const rule = (index * 7919) % size;
    return {
      syscall: SYSCALLS[rule % SYSCALLS.length],
      path: index % 3 === 0 ? `lib/a${index}/b.ts` : `packages/p${rule % 997}/src/m${rule}/deep/file.ts`,
      state: 'code_writing',
      mode: 'strict',
      tags: [],
    };
  });
  return JSON.parse(JSON.stringify(requests));
}

function policyOf(text) {
  const loaded = loadPolicy(text, 'bench.yaml');
  if (loaded.kind === 'invalid') throw new Error(loaded.errors[0].message);
  return loaded.policy;
}

/** The three ways of deciding the same requests, as operations on the number of a request. */
function waysOf(size) {
  const policy = policyOf(JSON.stringify({ capabilities: rulesOf(size) }));
  const requests = requestsOf(size);
  const context = { nowMonotonicMs: 0 };

  const bySyscall = Map.groupBy(policy.yaml.rules, (rule) => rule.match.syscalls[0]);
  const loop = (index) => {
    const request = requests[index];
    const path = toMatchable(request.path);
    let verdict = 'deny';
    for (const rule of bySyscall.get(request.syscall) ?? []) {
      if (!rule.match.globs.some((glob) => matchGlob(glob, path))) continue;
      if (rule.action === 'deny') return 'deny';
      verdict = 'allow';
    }
    return verdict;
  };

  const store = new CapabilityStore(() => 'k');
  const by = { sandboxId: 'x_aaaaaaaa', connectionId: 'c', peerUid: 1000, peerPid: 1 };
  const scope = { syscall: 'fs.write', paths: ['packages/**'], state: 'code_writing', maxOps: 1000, ttlMs: 60_000 };
  const { capability } = store.issue(scope, by, 0);
  const token = store.claim({ id: capability.id, nonce: capability.nonce, use: 1 }, by);
  const tokenContext = { nowMonotonicMs: 0, token };
  const tokenRequests = requests.map((request) => ({ ...request, syscall: 'fs.write', path: 'packages/a/b.ts' }));

  for (const [index, request] of requests.entries()) {
    if (decide(policy, request, context).decision !== loop(index))
      throw new Error(`${request.path} is decided otherwise`);
    if (!decide(policy, tokenRequests[index], tokenContext).byToken) throw new Error('the token does not hold');
    if (size * index > 1_000_000) break;
  }
  return {
    full: side((index) => decide(policy, requests[index], context)),
    token: side((index) => decide(policy, tokenRequests[index], tokenContext)),
    // It takes as long as there are rules.
    loop: side(loop, size > 1_000 ? 16 : size > 100 ? 256 : REQUESTS),
  };
}

/**
 * `operations`: of one turn, on requests spread over all of them, the same in each turn. Done once before they are timed, so that nobody pays
 * for what the others' turns left in the caches of the processor.
 */
function side(operation, operations = REQUESTS) {
  const stride = REQUESTS / operations;
  const samples = [];
  const pass = () => {
    for (let request = 0; request < REQUESTS; request += stride) operation(request);
  };
  const turn = () => {
    pass();
    const startedMs = performance.now();
    pass();
    samples.push(((performance.now() - startedMs) * 1_000) / operations);
  };
  /** Of the fastest turn, the one that other work on the machine disturbed least, in microseconds an operation. */
  const bestUs = () => Math.min(...samples);
  const forget = () => samples.splice(0);
  return { turn, bestUs, forget };
}

function measureDecisions(rounds) {
  const sizes = SIZES.map((rules) => ({ rules, ...waysOf(rules) }));
  const sides = sizes.flatMap(({ full, token, loop }) => [full, token, loop]);
  for (let round = 0; round < 30; round += 1) for (const one of sides) one.turn();
  for (const one of sides) one.forget();
  for (let round = 0; round < rounds; round += 1) for (const one of sides) one.turn();
  return sizes.map(({ rules, full, token, loop }) => ({
    rules,
    fullUs: full.bestUs(),
    tokenUs: token.bestUs(),
    loopUs: loop.bestUs(),
  }));
}

/** As somebody would write it: block style, short lists in brackets. */
function yamlOf(rules) {
  const lines = rules.flatMap(({ name, match, action }) => [
    `  - name: ${name}`,
    `    match: { syscall: ${match.syscall}, path_glob: ${JSON.stringify(match.path_glob)} }`,
    `    action: ${action}`,
  ]);
  return `capabilities:\n${lines.join('\n')}\n`;
}

function measureLoading(times) {
  const text = yamlOf(rulesOf(1_000));
  const tookMs = Array.from({ length: times }, () => {
    const startedMs = performance.now();
    policyOf(text);
    return performance.now() - startedMs;
  });
  return { firstMs: tookMs[0], bestMs: Math.min(...tookMs) };
}

/**
 * @param {{ rounds?: number }} options turns of each of those that are compared, a few milliseconds each
 * @returns {{ results: { rules: number, fullUs: number, tokenUs: number, loopUs: number }[], growth: number, load: { firstMs: number, bestMs: number } }}
 *   `growth`: of a full decision, 10,000 rules to 10. Loading comes first: a kernel loads once, and nothing has been compiled for it yet.
 */
export function measurePolicy({ rounds = 120 } = {}) {
  const load = measureLoading(15);
  const results = measureDecisions(rounds);
  return { results, growth: results.at(-1).fullUs / results[0].fullUs, load };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { results, growth, load } = measurePolicy();
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ results, growth, load })}\n`);
  } else {
    process.stdout.write('rules     full us   token us    loop us   loop/full\n');
    for (const { rules, fullUs, tokenUs, loopUs } of results) {
      const cells = [fullUs, tokenUs, loopUs].map((value) => value.toFixed(2).padStart(10));
      process.stdout.write(
        `${String(rules).padEnd(6)}${cells.join(' ')} ${(loopUs / fullUs).toFixed(1).padStart(11)}\n`,
      );
    }
    process.stdout.write(`growth 10 -> 10,000 rules: ${growth.toFixed(2)}\n`);
    process.stdout.write(
      `loading 1,000 rules: first ${load.firstMs.toFixed(0)} ms, at best ${load.bestMs.toFixed(0)} ms\n`,
    );
  }
}
