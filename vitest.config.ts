import { defineConfig } from 'vitest/config';
import { SlowestFiles } from './test/support/reporter/slowest-files.ts';

/**
 * Three projects, one after the other: `unit` touches no container, `docker` drives a real engine, `pty` a real terminal.
 * Each docker file has projects, homes, images and labels of its own, so two run at a time: most of their time is waiting for
 * containers. A terminal is judged by what it shows in time, so those files run alone.
 */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    reporters: ['default', new SlowestFiles()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/{docker,pty}/**'],
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
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'pty',
          include: ['test/pty/**/*.test.ts'],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          testTimeout: 180_000,
        },
      },
    ],
  },
});
