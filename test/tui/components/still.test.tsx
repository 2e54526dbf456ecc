import { expect, it } from 'vitest';
import { Live } from '../../../src/tui/components/live.tsx';
import { LookContext, PLAIN_LOOK } from '../../../src/tui/components/look.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { drawInTerminal } from '../fake-terminal.ts';
import { freshView } from '../event-stream.ts';

const SECOND_SIGN = '⠙';

function drawn(isStill: boolean) {
  const time = { nowMs: 0 };
  const view = { ...reduce(freshView(), { kind: 'run-started', atMs: 0 }), busy: null };
  const terminal = drawInTerminal(
    <LookContext value={{ ...PLAIN_LOOK, isStill }}>
      <Live view={view} size={{ columns: 80, rows: 24 }} nowMs={() => time.nowMs} />
    </LookContext>,
  );
  return { time, terminal };
}

it('signs turn where motion is full', async () => {
  const { terminal } = drawn(false);
  await expect.poll(() => terminal.written()).toContain(SECOND_SIGN);
  terminal.close();
});

it('nothing turns where motion is reduced, and times advance', async () => {
  const { time, terminal } = drawn(true);
  await terminal.settled();
  time.nowMs = 7000;
  await expect.poll(() => terminal.written(), { timeout: 10_000 }).toContain('7s · esc');
  expect(terminal.written()).not.toContain(SECOND_SIGN);
  terminal.close();
});
