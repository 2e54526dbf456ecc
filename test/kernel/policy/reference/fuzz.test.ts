import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { explainBatch } from '../../../../src/cli/config/policy/explain/explain-batch.ts';
import { decide, loadPolicy } from '../../../../src/kernel/policy/index.ts';
import type { PolicyRequest } from '../../../../src/contracts/policy.ts';
import { ROUNDS_TIMEOUT_MS, rounds } from '../../../seeded-random.ts';
import { SeededRandom } from '../seeded-random.ts';
import { randomRequest, randomRules } from './generate-policy.ts';
import { referenceDecision } from './reference-decision.ts';
import type { ReferenceCondition, ReferenceRequest, ReferenceRule } from './reference-decision.ts';

const SEED = Number(process.env['FLUFFY_SEED'] ?? 7);
const BROKEN = [
  '\n',
  ' ',
  '  ',
  '- ',
  ': ',
  '"',
  "'",
  '#',
  '|',
  '*',
  '/',
  '**/',
  '&a ',
  '*a',
  '[',
  ']',
  '{}',
  '~',
] as const;
const WORDS = [
  'allow',
  'deny',
  'pass',
  'name',
  'match',
  'except',
  'path_glob',
  'syscall',
  'fs.read',
  'src',
  '.env',
] as const;

/** With a few characters taken out, put in or written twice. */
function damaged(random: SeededRandom, text: string): string {
  let result = text;
  for (let change = random.below(3); change >= 0; change -= 1) {
    const at = random.below(result.length + 1);
    const length = random.below(8);
    if (random.chance(0.4)) result = result.slice(0, at) + result.slice(at + length);
    else if (random.chance(0.3)) result = result.slice(0, at + length * 3) + result.slice(at);
    else result = result.slice(0, at) + random.pick(random.chance(0.5) ? BROKEN : WORDS) + result.slice(at);
  }
  return result;
}

/**
 * The rules of a text as another library reads it; null where a pattern says more than the reference knows, or has a segment of three stars,
 * which git takes for two and its manual page, from which the reference is written, for one.
 */
function referenceRules(text: string): ReferenceRule[] | null {
  const document = parse(text, { schema: 'core' }) as { capabilities?: Written[] } | null;
  const rules = (document?.capabilities ?? []).map((rule) => ({
    name: rule.name,
    action: rule.action,
    reason: rule.reason ?? rule.name,
    match: listed(rule.match),
    except: (rule.except ?? []).map(listed),
  }));
  const globs = rules.flatMap(({ match, except }) => [match, ...except].flatMap(({ path_glob }) => path_glob ?? []));
  return globs.some((glob) => /[[\\]|\*{3}/.test(String(glob))) ? null : rules;
}

type WrittenCondition = Readonly<Record<string, string | readonly string[]>>;
type Written = Pick<ReferenceRule, 'name' | 'action'> & {
  readonly reason?: string;
  readonly match: WrittenCondition;
  readonly except?: readonly WrittenCondition[];
};

function listed(condition: WrittenCondition): ReferenceCondition {
  return Object.fromEntries(
    Object.entries(condition).map(([field, value]) => [
      field,
      field === 'command' ? (value as readonly string[]) : [value].flat(),
    ]),
  );
}

const POLICIES = rounds(2_000, 1_000_000);

test(
  `${POLICIES} damaged texts: what is still a policy allows nothing that the reference denies (seed ${SEED})`,
  { timeout: ROUNDS_TIMEOUT_MS },
  () => {
    const random = new SeededRandom(SEED);
    const count = { invalid: 0, compared: 0, allowed: 0 };
    for (let round = 0; round < POLICIES; round += 1) {
      const written = randomRules(random).slice(0, 4);
      const text = damaged(random, stringify({ capabilities: written }, { lineWidth: 0 }));
      const loaded = loadPolicy(text, 'fuzz.yaml');
      if (loaded.kind === 'invalid') {
        count.invalid += 1;
        continue;
      }
      const rules = referenceRules(text);
      if (rules === null) continue;
      for (let index = 0; index < 10; index += 1) {
        const request = randomRequest(random);
        const { decision } = decide(loaded.policy, request as PolicyRequest, { nowMonotonicMs: 0 });
        count.compared += 1;
        if (decision !== 'allow') continue;
        count.allowed += 1;
        expect([text, request, referenceDecision(rules, request).decision]).toEqual([text, request, 'allow']);
      }
    }
    expect(count.invalid).toBeGreaterThan(POLICIES / 10);
    expect(count.allowed).toBeGreaterThan(POLICIES / 10);
  },
);

const REQUESTS = rounds(10_000, 1_000_000);
const LINES_PER_BATCH = 50;

test(
  `${REQUESTS} damaged requests: each is answered, and none is allowed that the reference denies (seed ${SEED})`,
  { timeout: ROUNDS_TIMEOUT_MS },
  async () => {
    const random = new SeededRandom(SEED + 1);
    const count = { refused: 0, allowed: 0 };
    for (let sent = 0; sent < REQUESTS; sent += LINES_PER_BATCH) {
      const rules = randomRules(random);
      const loaded = loadPolicy(JSON.stringify({ capabilities: rules }), 'generated.yaml');
      if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
      const lines = Array.from({ length: LINES_PER_BATCH }, () => {
        const line = JSON.stringify(randomRequest(random));
        return random.chance(0.3) ? line : damaged(random, line).replaceAll('\n', ' ');
      });
      const answers = await answersTo(loaded.policy, lines);
      expect(answers).toHaveLength(lines.length);
      for (const [index, { decision, error }] of answers.entries()) {
        const line = lines[index] ?? '';
        if (error !== undefined) count.refused += 1;
        if (decision !== 'allow') continue;
        count.allowed += 1;
        expect([line, referenceDecision(rules, asRequest(line)).decision]).toEqual([line, 'allow']);
      }
    }
    expect(count.refused).toBeGreaterThan(REQUESTS / 10);
    expect(count.allowed).toBeGreaterThan(REQUESTS / 20);
  },
);

interface Answer {
  readonly decision: string;
  readonly error?: string;
}

async function answersTo(policy: Parameters<typeof explainBatch>[0], lines: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for await (const text of explainBatch(policy, input(lines), null)) {
    for (const line of text.split('\n').slice(0, -1)) answers.push(JSON.parse(line) as Answer);
  }
  return answers;
}

async function* input(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(lines.map((line) => `${line}\n`).join('')));
}

/** As the documentation of a request says: defaults, and the path in its normal form. */
function asRequest(line: string): ReferenceRequest {
  const { path, ...request } = { state: 'idle', mode: 'strict', tags: [], ...JSON.parse(line) } as ReferenceRequest;
  return path === undefined ? request : { ...request, path: path.replaceAll(/\/+$/g, '') };
}
