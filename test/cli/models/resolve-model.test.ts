import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadUserConfig } from '../../../src/cli/config/load-config.ts';
import { resolveModel, splitModel } from '../../../src/cli/models/resolve-model.ts';
import { EXIT } from '../../../src/contracts/exit-codes.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { Effort } from '../../../src/contracts/model/model-facts.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fluffy-models-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const CONFIG = `
models:
  anthropic/plain: { reasoning: false }
  anthropic/thinker: { reasoning: true, efforts: [low, high] }
`;

async function resolve(model: string, effort?: Effort) {
  await writeFile(join(root, 'config.yaml'), CONFIG);
  const env = { HOME: root, ANTHROPIC_API_KEY: 'k' };
  const opened = { userConfig: await loadUserConfig(join(root, 'config.yaml')), user: userDirs(env) };
  return resolveModel({ env, opened, invokerDir: root }, model, effort);
}

describe('a model', () => {
  it.each(['anthropic', '/plain', 'anthropic/', ''])('is not named %j', (model) => {
    expect(() => splitModel(model)).toThrow(`A model is provider/model, not ${JSON.stringify(model)}`);
  });

  it('may have slashes of its own', () => {
    expect(splitModel('router/maker/model')).toEqual(['router', 'maker/model']);
  });

  it('has an effort that it knows, or none', async () => {
    expect(await resolve('anthropic/thinker', 'high')).toMatchObject({ model: 'anthropic/thinker', effort: 'high' });
    expect(await resolve('anthropic/thinker')).not.toHaveProperty('effort');
  });

  it.each<readonly [string, Effort, string]>([
    ['anthropic/thinker', 'medium', 'It has: low, high'],
    ['anthropic/plain', 'low', 'As far as is known it has none to choose; models.anthropic/plain.efforts'],
  ])('%s is refused with the effort %s', async (model, effort, why) => {
    await expect(resolve(model, effort)).rejects.toMatchObject({
      code: 'usage',
      why: `${model} has no effort ${effort}`,
      fix: expect.stringContaining(why) as string,
    });
  });
});

const deepCall = (depth: number): string =>
  `{"calls":[{"tool":"fs.list","input":${'['.repeat(depth)}${']'.repeat(depth)}}]}`;

describe('a recording', () => {
  const record = (text: string | Buffer) => writeFile(join(root, 'turns.jsonl'), text);

  it('is read line by line', async () => {
    await record('{"text":"one"}\n\n  {"text":"two","delay_ms":5}\n');
    expect(await resolve('replay/turns.jsonl')).toMatchObject({
      replay: [{ text: 'one' }, { text: 'two', delay_ms: 5 }],
    });
  });

  it('has arguments as a model sends them, whatever their keys are', async () => {
    await record('{"calls":[{"tool":"a","input":{"__proto__":{"x":1}}},{"tool":"b","input":"{"}]}\n');
    const { replay } = await resolve('replay/turns.jsonl');
    expect(replay?.[0]?.calls?.map(({ input }) => input)).toEqual(['{"__proto__":{"x":1}}', '{']);
  });

  it('has no effort', async () => {
    await record('{"text":"one"}\n');
    await expect(resolve('replay/turns.jsonl', 'low')).rejects.toMatchObject({
      fix: 'A recording has none to choose',
    });
  });

  it.each([
    ['that is not there', null, 'the file does not exist'],
    ['with a line that is not JSON', '{"text":"one"}\n{\n', 'line 2 is not JSON'],
    ['with a line that is no turn', '\n{"txt":"one"}\n', 'line 2: Unrecognized key: "txt"'],
    [
      'with a field of another kind',
      '{"calls":[{"tool":1}]}\n',
      'line 1: calls.0.tool: Invalid input: expected string, received number',
    ],
    ['with arguments nested too deep', `\n${deepCall(400_000)}\n`, 'line 2 is nested more than 1000 levels deep'],
    ['with brackets that never end', '['.repeat(400_000), 'line 1 is nested more than 1000 levels deep'],
    [
      'with too long a line',
      `{"text":"${'x'.repeat(9_000_000)}"}`,
      'with line 1 its turns have more than 7340032 bytes',
    ],
    [
      'with more than one message holds',
      `{"text":"a"}\n{"text":"${'x'.repeat(8_000_000)}"}\n`,
      'with line 2 its turns have more than 7340032 bytes',
    ],
    ['that is not UTF-8', Buffer.from([0x0a, 0x22, 0xff]), 'line 2 is not UTF-8'],
  ])('%s is refused', async (_what, text, why) => {
    if (text !== null) await record(text);
    await expect(resolve('replay/turns.jsonl')).rejects.toMatchObject({
      code: 'replay_unusable',
      why,
      exitCode: EXIT.usage,
    });
  });
});
