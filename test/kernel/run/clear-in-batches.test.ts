import { expect, it } from 'vitest';
import { runSession } from '../../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { countingModel } from '../../support/kernel/counting-model.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const TURNS = 160;
const WINDOW = 100_000;

it('old results are replaced rarely and many at once: what is behind them is sent again each time', async () => {
  const kernel = testKernel({
    state: 'exploring',
    mode: 'explore',
    files: Object.fromEntries(
      Array.from({ length: TURNS }, (_, index) => [`src/${index}.js`, `const value = ${index};\n`.repeat(120)]),
    ),
    options: { window_tokens: WINDOW, max_output_tokens: 8_000, limits: { max_turns: TURNS } },
  });
  let turn = 0;
  const model = countingModel({
    windowTokens: WINDOW,
    answer: () => {
      const events = modelAnswer('', [{ tool: 'fs.read', input: { path: `src/${turn}.js` } }]);
      turn += 1;
      return events.map((event) => (event.type === 'call_start' ? { ...event, call_id: `t${turn}` } : event));
    },
  });
  kernel.sandboxes.chat = model.chat;
  addUserMessage(kernel.session, { text: 'Look at everything.' });
  await runSession(kernel.services, kernel.session, new AbortController().signal);

  const sizes = model.requests.map(({ tokens }) => tokens);
  const clearings = sizes.flatMap((tokens, index) => {
    const before = sizes[index - 1] ?? 0;
    return tokens < before ? [{ before, after: tokens }] : [];
  });
  expect(clearings.length).toBeGreaterThan(4);
  expect(clearings[0]?.after).toBeLessThan(WINDOW * 0.25);
  for (const { before, after } of clearings) expect(before - after).toBeGreaterThan(WINDOW * 0.17);
});
