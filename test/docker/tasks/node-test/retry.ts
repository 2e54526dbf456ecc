import { commit, edit, learn, plan, runTests, say, write } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const TEST = `import assert from 'node:assert/strict';
import test from 'node:test';
import { retry } from '../src/retry.js';

/** Fails the given number of times, then succeeds; notes every wait. */
function flaky(failures) {
  const seen = { calls: 0, waits: [] };
  const work = async () => {
    seen.calls += 1;
    if (seen.calls <= failures) throw new Error('attempt ' + seen.calls);
    return 'done';
  };
  const wait = async (ms) => void seen.waits.push(ms);
  return { seen, work, options: { attempts: 3, delayMs: 10, wait } };
}

test('does not wait when all is well', async () => {
  const { seen, work, options } = flaky(0);
  assert.equal(await retry(work, options), 'done');
  assert.deepEqual(seen, { calls: 1, waits: [] });
});

test('waits twice as long each time', async () => {
  const { seen, work, options } = flaky(2);
  assert.equal(await retry(work, options), 'done');
  assert.deepEqual(seen, { calls: 3, waits: [10, 20] });
});

test('throws the last error when attempts are used up', async () => {
  const { seen, work, options } = flaky(9);
  await assert.rejects(retry(work, options), /attempt 3/);
  assert.deepEqual(seen, { calls: 3, waits: [10, 20] });
});
`;

const SOURCE = `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls \`work\` until it succeeds, at most \`attempts\` times, and waits in between: \`delayMs\`, then twice as long each time. */
export async function retry(work, { attempts = 3, delayMs = 100, wait = sleep } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt > attempts) throw error;
      await wait(delayMs * 2 ** attempt);
    }
  }
}
`;

/** Sends arguments that break off, is off by one in two places, and thinks itself done without a commit. Its tests never really wait. */
function* developer(): Developer {
  const cut = yield say('No need to read much: this is a new module.', {
    tool: 'plan.complete',
    rawArguments: '{"summary": "retry(work, options)", "steps": ["tests", "source"',
  });
  learn(cut.results[0], /are not JSON .* Send one JSON object/);
  yield say(
    '',
    plan('retry(work, options) with growing waits', 'tests', 'source'),
    write('test/retry.test.js', TEST),
    runTests(),
  );
  yield say('', write('src/retry.js', SOURCE), runTests());
  yield say('One attempt too many.', edit('src/retry.js', 'attempt > attempts', 'attempt >= attempts'));
  const waits = yield say('', runTests('test/retry.test.js'));
  learn(waits.results[0], /waits twice as long each time/);
  yield say('And the first wait is doubled already.', edit('src/retry.js', '2 ** attempt)', '2 ** (attempt - 1))'));
  yield say('', runTests());
  const nudged = yield say(
    '`retry` is in `src/retry.js`, with tests for the waits and for the last error. All tests pass!',
  );
  learn(nudged.told, /Call git\.commit/);
  yield say('Of course.', commit('Add retry with growing waits'));
}

export const retry: SmallTask = {
  name: 'add a retry helper',
  ask: 'I need a retry helper for async functions with exponential backoff',
  wire: 'responses',
  developer,
  refused: ['invalid_input', 'red_case_failing', 'red_case_failing'],
  commits: ['A src/retry.js', 'A test/retry.test.js'],
  forHuman: [/^Look at src\/retry\.js:1: no test notices any of 3 mutants of sleep$/],
};
