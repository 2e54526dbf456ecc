import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { giveAway } from '../../support/job/job-project.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { STRAIGHT } from '../../support/job/parse-config-turns.ts';

const FILE = '.fluffy/coverage-baseline.json';
const shared = sharedScene({});
afterAll(() => shared.close());

it('a strict commit holds the coverage that was counted of it, in the baseline that HEAD has', async () => {
  const { project, run } = await shared.begin(STRAIGHT);
  mkdirSync(join(project.root, '.fluffy'), { recursive: true });
  writeFileSync(join(project.root, FILE), '{"version": 1, "lines": null}\n');
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', 'Begin a baseline');
  giveAway(project.root);
  const result = await run(['-p', 'Add error handling to parseConfig']);
  expect(result.stderr).toBe('');
  expect(result.code).toBe(0);
  expect(project.git('status', '--porcelain')).toBe('');
  const { lines, ...rest } = JSON.parse(project.git('show', `HEAD:${FILE}`)) as {
    lines: { covered: number; total: number };
  };
  expect(rest).toEqual({ version: 1, runner: 'node-test', languages: ['javascript'] });
  expect(lines.covered).toBeGreaterThan(0);
  expect(lines.total).toBeGreaterThanOrEqual(lines.covered);
});
