import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { rounds, seededRandom } from '../seeded-random.ts';
import { bundleProgram } from '../support/terminal/bundle-program.ts';
import { expectGentle } from '../support/terminal/expect-gentle.ts';
import { WORD, longAnswer } from '../support/terminal/long-answer.ts';
import { openTmuxTerminal } from '../support/terminal/tmux-terminal.ts';
import type { TmuxTerminal } from '../support/terminal/tmux-terminal.ts';

const SIZE = {
  deltas: rounds(1_500, 20_000),
  calls: rounds(40, 500),
  diffLines: rounds(300, 2_000),
};
const DURATION_MS = rounds(8_000, 600_000);
/** Memory may grow by that much while all is played. */
const GROWTH_MIB = 50;

let directory: string;
let terminal: TmuxTerminal | null = null;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-streaming-'));
});
afterEach(() => {
  terminal?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function play(seed: number): Promise<{ readonly terminal: TmuxTerminal; readonly memoryMiB: readonly number[] }> {
  const report = join(directory, 'memory.json');
  const program = await bundleProgram('test/support/terminal/answer-child.ts', directory);
  const numbers = [seed, SIZE.deltas, SIZE.calls, SIZE.diffLines, DURATION_MS].map(String);
  terminal = openTmuxTerminal({
    columns: 100,
    rows: 30,
    cwd: directory,
    env: { HOME: directory },
    command: [process.execPath, '--expose-gc', program, ...numbers, report],
    historyRows: 200_000,
  });
  await terminal.shows(/w000000/);
  const random = seededRandom(seed);
  const between = (least: number, most: number) => Math.floor(least + random() * (most - least));
  while (!terminal.screen().includes('all is played')) {
    terminal.resize(between(44, 160), between(18, 50));
    await sleep(rounds(200, 1_000));
  }
  terminal.resize(100, 30);
  // To the end of the frame: the window is drawn again in this size.
  await terminal.shows(/all is played[^]*^\[strict\] \[[^]*esc interrupts/m);
  return { terminal, memoryMiB: JSON.parse(readFileSync(report, 'utf8')) as readonly number[] };
}

it(
  'a long answer is in the scrollback once, line by line, however often the window changes its size',
  async () => {
    const seed = 7;
    const { terminal, memoryMiB } = await play(seed);
    const all = terminal.unbroken();
    const shown = all.match(WORD) ?? [];
    const { words } = longAnswer({ seed, ...SIZE });
    expect(shown).toEqual(words);
    expect(all.match(/^\[strict\] \[/gm)).toHaveLength(1);
    expectGentle(terminal.bytes());
    const settled = memoryMiB.slice(Math.ceil(memoryMiB.length / 4));
    expect(Math.max(...settled) - (settled[0] ?? 0)).toBeLessThan(GROWTH_MIB);
    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  },
  DURATION_MS + 120_000,
);
