/**
 * A program that draws the real screen in its terminal and plays a long answer on it, without a kernel.
 *
 *   answer-child SEED DELTAS CALLS DIFF_LINES DURATION_MS REPORT
 *
 * It takes keys as ever. When all is played it writes its memory over time to REPORT and waits for Ctrl-D.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { mountScreen } from '../../../src/cli/interactive/screen/mount-screen.tsx';
import type { KeyAction } from '../../../src/tui/keymap/key-action.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import { initialView } from '../../../src/tui/store/view-state.ts';
import { ViewStore } from '../../../src/tui/store/view-store.ts';
import { longAnswer } from './long-answer.ts';
import type { PlayedStep } from './long-answer.ts';

const [seed = 1, deltas = 1, calls = 1, diffLines = 1, durationMs = 1] = process.argv.slice(2, 7).map(Number);
const report = process.argv[7] ?? '/dev/null';
const nowMs = Date.now;
const project = safeLine('/home/ada/project');
const view = initialView({ project, model: safeLine('replay/answer'), mode: 'strict', theme: 'dark' }, safeLine(''));
const store = new ViewStore(
  { ...view, kernel: { kind: 'ready' } },
  { nowMs, after: (ms, callback) => void setTimeout(callback, ms) },
);
const left = Promise.withResolvers<undefined>();
const onKey = (action: KeyAction): void => {
  if (action.kind === 'edit') store.dispatch({ kind: 'edit', edit: action.edit, atMs: nowMs() });
  else if (action.kind === 'end-of-input') left.resolve(undefined);
};
// As a shell leaves it: a screen that is erased from its first cell on is kept in the scrollback of tmux.
process.stdout.write('$ fluffy\n');
const screen = mountScreen({
  store,
  nowMs,
  onKey,
  followsBackground: false,
  isStill: false,
  notices: 'away',
  links: 'on',
  projectRoot: project,
  stop: () => Promise.resolve(),
  canSuspend: () => false,
});

let seq = 0;
function play(step: PlayedStep): void {
  if (step.kind === 'diff') return store.dispatch({ kind: 'say', item: { kind: 'diff', diff: step.diff } });
  seq += 1;
  const event = { ...step.event, session_id: 's_0123456789abcdefghij', seq, ts: nowMs() };
  store.dispatch({ kind: 'event', event, atMs: nowMs() });
}

const memoryMiB: number[] = [];
const { steps } = longAnswer({ seed, deltas, calls, diffLines });
const startedMs = performance.now();
for (const [index, step] of steps.entries()) {
  const earlyMs = (durationMs * index) / steps.length - (performance.now() - startedMs);
  if (earlyMs > 1) await sleep(earlyMs);
  if (index % Math.ceil(steps.length / 40) === 0) {
    globalThis.gc?.();
    memoryMiB.push(Math.round(process.memoryUsage.rss() / 2 ** 20));
  }
  play(step);
}
store.dispatch({ kind: 'hint', text: safeLine('all is played') });
writeFileSync(report, JSON.stringify(memoryMiB));
await left.promise;
await screen.close('', false);
process.exit(0);
