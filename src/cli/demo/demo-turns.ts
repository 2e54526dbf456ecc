import type { ReplayTurn } from '../../contracts/model/model.ts';

export const DEMO_TASK = 'Add error handling to parseConfig';

const NEW_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { ConfigError, parseConfig } from '../src/parse-config.js';

test('says what is wrong with text that is not JSON', () => {
  assert.throws(() => parseConfig('{"port": '), (error) => {
    assert.ok(error instanceof ConfigError);
    assert.match(error.message, /not valid JSON/);
    assert.ok(error.cause instanceof SyntaxError);
    return true;
  });
});

test('refuses JSON that is not an object', () => {
  for (const text of ['[]', '42', 'null', '"text"']) {
    assert.throws(() => parseConfig(text), ConfigError);
  }
});
`;

const NEW_SOURCE = `/** The text is no usable configuration; \`cause\` is the underlying error, if there is one. */
export class ConfigError extends Error {
  name = 'ConfigError';
}

/** Reads a configuration from JSON text. Throws ConfigError for anything but a JSON object. */
export function parseConfig(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(\`the configuration is not valid JSON: \${error.message}\`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError('the configuration must be a JSON object');
  }
  return value;
}
`;

/** The turns of the embedded model in the demo. It tries to write the source too early once, so that the refusal is seen. */
export const DEMO_TURNS: readonly ReplayTurn[] = [
  {
    text: 'I will look at parseConfig and its tests first.',
    calls: [
      { tool: 'fs.read', input: { path: 'src/parse-config.js' } },
      { tool: 'search.grep', input: { pattern: 'parseConfig' } },
    ],
  },
  {
    calls: [
      {
        tool: 'plan.complete',
        input: {
          summary: 'Make parseConfig fail with a ConfigError that says what is wrong',
          steps: ['Test text that is not JSON and JSON that is not an object', 'Throw ConfigError in both cases'],
        },
      },
    ],
  },
  {
    text: 'The change is obvious, I will write the source right away.',
    calls: [{ tool: 'fs.write', input: { path: 'src/parse-config.js', content: NEW_SOURCE } }],
  },
  {
    text: 'Tests come first here. I will write them.',
    calls: [{ tool: 'fs.write', input: { path: 'test/config-error.test.js', content: NEW_TEST } }],
  },
  { calls: [{ tool: 'test.run', input: { paths: ['test/config-error.test.js'] } }] },
  {
    text: 'The tests fail because the behaviour is missing. Now the source.',
    calls: [{ tool: 'fs.write', input: { path: 'src/parse-config.js', content: NEW_SOURCE } }],
  },
  { calls: [{ tool: 'test.run', input: {} }] },
  { calls: [{ tool: 'git.commit', input: { message: 'Add error handling to parseConfig' } }] },
];
