import { relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * Files that take longest, the longest first. One that began last would keep a single processor busy at the end. Vitest knows how long a file took
 * where it has run before; in a fresh clone it goes by the size of a file, which says little of tests that start programs.
 */
export const LONGEST: readonly string[] = [
  'test/honest-ways/honest-ways.test.ts',
  'test/attacks/cheats.test.ts',
  'test/kernel/runners/maven.test.ts',
  'test/kernel/runners/executed-lines.test.ts',
  'test/kernel/runners/mocha.test.ts',
  'test/kernel/runners/ctest.test.ts',
  'test/kernel/runners/cargo-test.test.ts',
  'test/kernel/runners/pytest.test.ts',
  'test/cli/errors/documented-errors.test.ts',
  'test/docker/job/dependencies.test.ts',
  'test/docker/tasks/small-tasks.test.ts',
  'test/docker/runners/real-projects.test.ts',
  'test/pty/interactive.test.ts',
  'test/docker/runners/strict-job.test.ts',
  'test/docker/runners/places.test.ts',
  'test/docker/job/kill-anything.test.ts',
  'test/docker/job/policy-update.test.ts',
  'test/docker/job/signals.test.ts',
  'test/docker/job/headless.test.ts',
  'test/docker/job/odd-repositories.test.ts',
];

/** Starts the files of a group in the order of `LONGEST`, and the others after them as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const known = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
      return known === -1 ? LONGEST.length : known;
    };
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => group(a) - group(b) || place(a) - place(b));
  }
}
