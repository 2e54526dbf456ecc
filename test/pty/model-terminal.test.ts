import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROUNDS_TIMEOUT_MS, rounds, seededRandom } from '../seeded-random.ts';
import { ModelTerminal } from '../support/terminal/model-terminal.ts';
import { openTmuxTerminal } from '../support/terminal/tmux-terminal.ts';
import type { TmuxTerminal } from '../support/terminal/tmux-terminal.ts';

const FIRST = { columns: 60, rows: 20 };
const SEQUENCES = ['\x1b[J', '\x1b[?7l', '\x1b[?7h', '\x1b[K', '\x1b[2K', '\r\x1b[K', '\r'];

let directory: string;
let terminal: TmuxTerminal;
let pipe: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-model-'));
  const path = join(directory, 'pipe');
  execFileSync('mkfifo', [path]);
  terminal = openTmuxTerminal({ ...FIRST, cwd: directory, env: {}, command: ['cat', path] });
  pipe = openSync(path, 'w');
});
afterEach(() => {
  closeSync(pipe);
  terminal.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Resolves when tmux has drawn it: then it has the title that comes after it. */
async function draw(text: string, number: number): Promise<void> {
  writeSync(pipe, `${text}\x1b]2;drawn ${number}\x07`);
  while (terminal.title() !== `drawn ${number}`) await nextTick();
}

it(
  'the model of a terminal that the renderer is tested with is as tmux is, whatever is written and however it changes its size',
  async () => {
    const seed = 5;
    const random = seededRandom(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    const letters = (first: number, most: number) => String.fromCharCode(first + below(26)).repeat(below(most));
    const piece = (): string => {
      const kind = below(8);
      if (kind < 3) return `${letters(97, 150)}\n`;
      if (kind === 3) return `\x1b[${1 + below(6)}A`;
      if (kind === 4) return `\x1b[${1 + below(40)}G`;
      return kind === 5 ? letters(65, 90) : (SEQUENCES[below(SEQUENCES.length)] ?? '');
    };
    const model = new ModelTerminal(FIRST);
    for (let step = 0; step < rounds(200, 2_000); step += 1) {
      const what = `seed ${seed}, step ${step}`;
      if (below(2) === 0) {
        const text = Array.from({ length: 1 + below(6) }, piece).join('');
        await draw(text, step);
        model.write(text);
      } else {
        const size = { columns: 10 + below(90), rows: 6 + below(30) };
        terminal.resize(size.columns, size.rows);
        model.resize(size);
      }
      const shown = terminal.unbroken().split('\n').slice(0, -1);
      const expected = model.unbroken().map((line) => line.trimEnd());
      expect(shown, what).toEqual(expected);
      expect(terminal.position(), what).toEqual(model.position());
    }
  },
  ROUNDS_TIMEOUT_MS,
);
