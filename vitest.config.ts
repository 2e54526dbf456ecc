import { defineConfig } from 'vitest/config';
import { SlowestFiles } from './test/support/reporter/slowest-files.ts';
import { LongestFirst } from './test/support/runner/longest-first.ts';

/** Files that wait for containers at a time. */
const WAITING = 3;

/**
 * Three projects: `unit` touches no container, `docker` drives a real engine, `pty` a real terminal. First all of `unit`, a process for each processor;
 * then the others together. They have projects, homes, images and labels of their own, and most of their time is waiting for containers: one more runs
 * than there are processors. A terminal is judged by what it shows at last, however long that takes.
 */
export default defineConfig({
  test: {
    // What never ends is ended; what is slow on a busy machine is not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SlowestFiles()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{docker,pty}/**'],
          // One process for many files: loading what they share costs more than most of their tests. So a unit test replaces no module,
          // and puts back what it changes of its process.
          isolate: false,
          // By default one processor is left out: on a machine with two, half of them.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'docker',
          include: ['test/docker/**/*.test.ts'],
          maxWorkers: WAITING,
          sequence: { groupOrder: 1 },
          testTimeout: 360_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'pty',
          include: ['test/pty/**/*.test.ts'],
          maxWorkers: WAITING,
          sequence: { groupOrder: 1 },
          testTimeout: 360_000,
        },
      },
    ],
  },
});
