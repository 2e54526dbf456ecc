import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import { makeJobProject } from '../../../test/support/job/job-project.ts';
import type { Bench, Benchmark } from '../benchmark.ts';
import { percentile, summarise } from '../statistics.ts';
import { shown, startInTerminal } from './first-frame.ts';

const STARTS = 5;
const SAMPLES_OF_A_START = 60;
/** No two neighbours are the same: a frame that shows what the last one showed is not drawn. */
const LETTERS = [...'ghjkqwz'];
const EARLY = 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn';
const EARLY_EVERY_MS = 25;
/** Longer than a frame. */
const PAUSE_MS = 50;

export const keys: Benchmark = {
  name: 'keys',
  what: `From a key that a terminal sends (a pty of 100 columns) to the frame that shows it at the prompt, in ${STARTS} sessions without a run. In each of them ${EARLY.length} keys were typed before, one every ${EARLY_EVERY_MS} ms from the first line of the start on: that is the first second. A start has lost a key if they do not all come to the prompt.`,
  dominates: 'The screen is drawn at most 30 times a second, so a key waits for up to 33 ms.',
  async measure({ root }: Bench) {
    const project = makeJobProject();
    const home = makeFluffyHome();
    const replay = join(home.env['HOME'] ?? '', 'turns.jsonl');
    writeFileSync(replay, '{"text":"Nothing."}\n');
    const fluffy = [process.execPath, join(root, 'dist/cli.mjs'), '--model', `replay/${replay}`];
    const samples: number[] = [];
    let lost = 0;
    try {
      for (let start = 0; start < STARTS; start += 1) {
        const { child, end } = startInTerminal(fluffy, project.root, home.env);
        const type = (text: string): void => void child.stdin.write(text);
        try {
          await shown(child, 'fluffy ');
          const all = shown(child, EARLY).catch(() => (lost += 1));
          for (const letter of EARLY) {
            type(letter);
            await sleep(EARLY_EVERY_MS);
          }
          await all;
          type('\x15');
          await sleep(PAUSE_MS);
          for (let at = 0; at < SAMPLES_OF_A_START; at += 1) {
            const letter = LETTERS[at % LETTERS.length] ?? '';
            const startedMs = performance.now();
            const drawn = shown(child, `] > ${letter}`);
            type(letter);
            await drawn;
            samples.push(performance.now() - startedMs);
            type('\x7f');
            await sleep(PAUSE_MS);
          }
        } finally {
          await end();
        }
      }
      const rows = [{ name: 'a letter', summary: summarise(samples) }];
      return {
        tables: [{ title: 'key to echo', unit: 'ms', rows }],
        verdicts: [
          { what: 'key to echo, p95', value: percentile(samples, 95), unit: 'ms', aim: { kind: 'at most', value: 50 } },
          { what: `starts of ${STARTS} that lost a key`, value: lost, unit: '', aim: { kind: 'at most', value: 0 } },
        ],
      };
    } finally {
      await home.remove([project.root]);
      project.remove();
    }
  },
};
