import { defineConfig } from 'vitest/config';

/**
 * Three projects: `unit` touches no container, `docker` drives a real engine, `pty` a real terminal.
 * Files of the last two run one at a time: they share one engine and two cores.
 */
export default defineConfig({
  test: {
    testTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.{ts,tsx}'], exclude: ['test/{docker,pty,attacks-docker}/**'] },
      },
      {
        extends: true,
        test: {
          name: 'docker',
          include: ['test/docker/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: { name: 'pty', include: ['test/pty/**/*.test.ts'], fileParallelism: false, testTimeout: 180_000 },
      },
    ],
  },
});
