import { calls, turn } from '../wire/script.ts';
import type { ScriptedTurn } from '../wire/script.ts';

export const NEW_TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from '../src/parse-config.js';

test('says what is wrong', () => assert.throws(() => parseConfig('{'), /not valid JSON/));
`;

export const NEW_SOURCE = `export function parseConfig(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(\`the configuration is not valid JSON: \${error.message}\`, { cause: error });
  }
}
`;

export const PLAN = calls({
  tool: 'plan.complete',
  input: { summary: 'Fail with a clear message', steps: ['test', 'source'] },
});
export const WRITE_TEST = calls({ tool: 'fs.write', input: { path: 'test/bad-config.test.js', content: NEW_TEST } });
export const RUN_TESTS = calls({ tool: 'test.run', input: {} });
export const WRITE_SOURCE = calls({ tool: 'fs.write', input: { path: 'src/parse-config.js', content: NEW_SOURCE } });
export const COMMIT = calls({ tool: 'git.commit', input: { message: 'Say what is wrong with a bad configuration' } });

/** A whole strict task without a detour. */
export const STRAIGHT: readonly ScriptedTurn[] = [PLAN, WRITE_TEST, RUN_TESTS, WRITE_SOURCE, RUN_TESTS, COMMIT];

/** As a talkative model goes about it: several calls at once, the source too early, a wrong argument, reads repeated. */
export const WORDY: readonly ScriptedTurn[] = [
  turn({
    text: 'Let me look around first. ',
    calls: [
      { tool: 'fs.read', input: { path: 'src/parse-config.js' } },
      { tool: 'fs.read', input: { path: './src/parse-config.js' } },
      { tool: 'fs.list', input: { path: '.' } },
      { tool: 'search.grep', input: { pattern: 'parseConfig' } },
      { tool: 'fs.read', input: { document: 'package.json' } },
    ],
  }),
  PLAN,
  turn({
    text: 'I can already see the fix.',
    calls: [{ tool: 'fs.write', input: { path: 'src/parse-config.js', content: NEW_SOURCE } }],
  }),
  WRITE_TEST,
  RUN_TESTS,
  WRITE_SOURCE,
  RUN_TESTS,
  COMMIT,
];

/** The order of states that a strict success goes through. */
export const STRICT_STATES = [
  'planning',
  'test_writing',
  'code_writing',
  'validating',
  'reviewing',
  'committing',
  'idle',
];
