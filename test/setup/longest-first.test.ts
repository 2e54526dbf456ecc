import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LONGEST, LongestFirst } from '../support/runner/longest-first.ts';

const ROOT = join(import.meta.dirname, '../..');

test('every file that is known to take long is there', () => {
  expect(LONGEST.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('known files start first in their group, whatever their size', async () => {
  const specification = (path: string, groupOrder: number) =>
    ({
      moduleId: join(ROOT, path),
      project: { name: String(groupOrder), config: { isolate: true, sequence: { groupOrder } } },
    }) as unknown as TestSpecification;
  const [first = '', second = ''] = LONGEST;
  const files = [
    specification('package.json', 1),
    specification(second, 1),
    specification('AGENTS.md', 0),
    specification(first, 1),
  ];
  const vitest = { config: { root: ROOT }, cache: { getTestSpecificationResult: () => undefined } };
  const sorted = await new LongestFirst(vitest as unknown as Vitest).sort(files);
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
    ['AGENTS.md', first, second, 'package.json'].map((path) => join(ROOT, path)),
  );
});
