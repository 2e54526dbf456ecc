import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainBatch } from '../../../../src/cli/config/policy/explain/explain-batch.ts';
import { SESSION_STATES } from '../../../../src/contracts/session/workflow-states.ts';
import { decide, lexicalTarget, loadPolicy } from '../../../../src/kernel/policy/index.ts';
import { SeededRandom } from '../seeded-random.ts';

const SOAK = process.env['FLUFFY_SOAK'] === '1';
const SEED = Number(process.env['FLUFFY_SEED'] ?? 99);
const SHIPPED = readFileSync(new URL('../../../../policy.yaml', import.meta.url), 'utf8');
const SMALL = `version: 1
workspace: { test_globs: &tests [test/, "*.test.*"] }
capabilities:
  - name: one
    match: { syscall: [fs.read, fs.write], path_glob: *tests, state_machine_state: idle }
    except: [{ caller_tag: [core_plugin] }, { path_glob: ["**/x/[a-c]*"] }]
    action: require_review
    reason: "because"
    examples: { no_match: [a] }
`;
const PIECES = [
  ...[
    '\n',
    '  ',
    '- ',
    ': ',
    '{',
    '}',
    '[',
    ']',
    ',',
    '"',
    "'",
    '&a ',
    '*a',
    '!!str ',
    '!x ',
    '#',
    '|',
    '>',
    '<<: ',
    '? ',
    '---\n',
    '%YAML 1.1\n',
  ],
  ...[
    'name',
    'match',
    'allow',
    'deny',
    'path_glob',
    'fs.read',
    '**',
    '*',
    '\\',
    '__proto__',
    'constructor',
    '0x10',
    '1e999',
    '-1',
    'null',
    '~',
    'yes',
  ],
  ...['\t', '\0', '\u2028', '\uFEFF', 'é', '\uD800', '🙂', '100KiB', '9'.repeat(30)],
] as const;

function mutated(random: SeededRandom, text: string): string {
  let result = text;
  for (let round = random.below(4); round >= 0; round -= 1) {
    const at = random.below(result.length + 1);
    const length = random.below(12);
    if (random.chance(0.4)) result = result.slice(0, at) + result.slice(at + length);
    else if (random.chance(0.5)) result = result.slice(0, at) + random.pick(PIECES) + result.slice(at);
    else result = result.slice(0, at) + result.slice(at, at + length * 4) + result.slice(at);
  }
  return result;
}

test(
  `whatever a policy file holds, loading it ends in a policy or in errors that say where (seed ${SEED})`,
  { timeout: 3_600_000 },
  () => {
    const random = new SeededRandom(SEED);
    const outcomes = { ok: 0, invalid: 0 };
    for (let round = 0; round < (SOAK ? 1_000_000 : 800); round += 1) {
      const noise = () => random.list(0, 12, () => random.pick(PIECES)).join('');
      const text = random.chance(0.2) ? noise() : mutated(random, round % 500 === 0 ? SHIPPED : SMALL);
      const loaded = loadPolicy(text, 'fuzz.yaml');
      outcomes[loaded.kind] += 1;
      const findings = loaded.kind === 'invalid' ? [...loaded.errors, ...loaded.warnings] : loaded.warnings;
      if (loaded.kind === 'invalid') expect(loaded.errors.length, text).toBeGreaterThan(0);
      for (const { line, column } of findings)
        expect(line >= 1 && column >= 1 && Number.isInteger(line + column), text).toBe(true);
      // No rule of these texts allows anything, and nothing that is done to them may make one that does without saying so.
      if (loaded.kind === 'ok' && !text.includes('allow')) {
        const request = {
          syscall: 'fs.read',
          path: 'test/a',
          state: random.pick(SESSION_STATES),
          mode: 'strict',
          tags: [],
        } as const;
        expect(decide(loaded.policy, request, { nowMonotonicMs: 0 }).decision, text).not.toBe('allow');
      }
    }
    expect(Math.min(outcomes.ok, outcomes.invalid)).toBeGreaterThan(40);
  },
);

test(`whatever path is sent, it is refused or stays inside the project (seed ${SEED})`, { timeout: 3_600_000 }, () => {
  const random = new SeededRandom(SEED + 1);
  const pieces = [
    '/',
    '/',
    '..',
    '.',
    'a',
    'src',
    '.git',
    '.GIT',
    '.fluffy',
    ' ',
    '~',
    '\\',
    '\0',
    '\n',
    '\u200B',
    '\u202E',
    'é',
    'e\u0301',
    '\uD800',
    'C:',
    '/p',
    '/p/',
    '-',
    ':',
  ] as const;
  const loaded = loadPolicy('capabilities: [{ name: all, match: { session_mode: strict }, action: allow }]', 'p');
  if (loaded.kind === 'invalid') throw new Error('invalid');
  let accepted = 0;
  for (let round = 0; round < (SOAK ? 1_000_000 : 20_000); round += 1) {
    const sent = random.list(0, 8, () => random.pick(pieces)).join('');
    const request = { syscall: 'fs.write', path: sent, state: 'idle', mode: 'strict', tags: [] } as const;
    const raw = decide(loaded.policy, request, { nowMonotonicMs: 0 }).decision;
    if (/(?:^|\/)(?:\.git|\.fluffy|\.\.?)(?:\/|$)|^\/|\/\/|\0/i.test(sent)) expect([sent, raw]).toEqual([sent, 'deny']);
    const target = lexicalTarget(sent, '/p');
    if (target.kind === 'refused') continue;
    accepted += 1;
    expect([sent, target.path]).toEqual([sent, expect.not.stringMatching(/(?:^|\/)\.{0,2}(?:\/|$)(?<!^)|^\/|\p{Cc}/u)]);
    expect(lexicalTarget(target.path === '' ? '.' : target.path, '/p')).toMatchObject({
      kind: 'ok',
      path: target.path,
    });
  }
  expect(accepted).toBeGreaterThan(1_000);
});

test(
  `whatever a batch holds, each line is answered once, in order (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const random = new SeededRandom(SEED + 2);
    const loaded = loadPolicy(SMALL, 'p');
    if (loaded.kind === 'invalid') throw new Error('invalid');
    const good = '{"syscall":"fs.read","path":"test/a","tags":["core_plugin"]}';
    for (let round = 0; round < (SOAK ? 20_000 : 100); round += 1) {
      const lines = random.list(1, 40, () => (random.chance(0.3) ? good : mutated(random, good).replaceAll('\n', ' ')));
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      const answers: unknown[] = [];
      for await (const text of explainBatch(loaded.policy, pieces(bytes, random), null)) {
        for (const line of text.split('\n').slice(0, -1)) answers.push(JSON.parse(line));
      }
      expect(answers).toHaveLength(lines.length);
      for (const [index, answer] of answers.entries()) {
        const expected =
          lines[index] === good
            ? { decision: 'deny', rules: [{ name: 'one', action: 'pass' }] }
            : { decision: expect.any(String) as unknown };
        expect(answer).toMatchObject(expected);
      }
    }
  },
);

async function* pieces(bytes: Buffer, random: SeededRandom): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(200);
    yield await Promise.resolve(bytes.subarray(at, end));
    at = end;
  }
}
