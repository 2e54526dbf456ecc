import { expect, it } from 'vitest';
import { checkLocalModels } from '../../../src/cli/doctor/check-local-models.ts';
import type { Ask } from '../../../src/cli/models/local-models.ts';

const list = (...ids: readonly string[]) =>
  new Response(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) }));
const answering =
  (answers: Readonly<Record<string, Response>>): Ask =>
  (url) => {
    const answer = answers[url];
    return answer === undefined ? Promise.reject(new Error('refused')) : Promise.resolve(answer);
  };

it('names each server that answers, with its models as they are chosen', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `m${index}`);
  const checks = await checkLocalModels(
    answering({
      'http://127.0.0.1:11434/v1/models': list('qwen3:8b', 'llama'),
      'http://127.0.0.1:1234/v1/models': list(),
      'http://127.0.0.1:8080/v1/models': list(...many),
    }),
  );
  expect(checks.map(({ level, what }) => `${level} ${what}`)).toEqual([
    'ok Ollama answers at http://127.0.0.1:11434/v1: ollama/qwen3:8b, ollama/llama',
    'ok LM Studio answers at http://127.0.0.1:1234/v1: it has no model',
    expect.stringMatching(/llamacpp\/m0, .*llamacpp\/m9 and 2 more$/),
  ]);
});

it.each([
  ['nothing there', {}],
  ['another program at the port', { 'http://127.0.0.1:8080/v1/models': new Response('<h1>hello</h1>') }],
  ['an answer of another form', { 'http://127.0.0.1:8000/v1/models': new Response('{"models":[]}') }],
])('says nothing of %s', async (_, answers) => {
  expect(await checkLocalModels(answering(answers))).toEqual([]);
});
