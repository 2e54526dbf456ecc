import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROVIDER_WIRES } from '../../../src/contracts/model/providers.ts';
import { playDeveloper } from '../../support/job/developer.ts';
import type { PlayedDeveloper } from '../../support/job/developer.ts';
import { hasPytest } from '../../support/has-pytest.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';
import { rounds, seededRandom } from '../../seeded-random.ts';
import { nodeTestWorkshop } from './node-test/workshop.ts';
import { pytestWorkshop } from './pytest/workshop.ts';
import type { SmallTask, Workshop } from './small-task.ts';
import { unittestWorkshop } from './unittest/workshop.ts';
import { vitestWorkshop } from './vitest/workshop.ts';

const WORKSHOPS: readonly Workshop[] = [nodeTestWorkshop, vitestWorkshop, pytestWorkshop, unittestWorkshop];

/** Tasks of each workshop in `npm test`; `npm run soak` does them all. */
const SAMPLE = rounds(2, Infinity);
const SEED = 256;

/**
 * The tasks that are done, in their order: a seeded sample. It is enough because gates, tools and runners that the tasks go through have tests of
 * their own; what these add is that they fit together for each runner, over each wire, with and without a person, which the first test below holds.
 */
function sampled(workshops: readonly Workshop[]): Workshop[] {
  const next = seededRandom(SEED);
  return workshops.map((workshop) => {
    const tasks = [...workshop.tasks];
    while (tasks.length > SAMPLE) tasks.splice(Math.floor(next() * tasks.length), 1);
    return { ...workshop, tasks };
  });
}

const chosen = sampled(WORKSHOPS);
const usable = chosen.filter(({ runner }) => runner !== 'pytest' || hasPytest());

it('the sample has every wire, most refusals, and tasks with and without a person', () => {
  const [all, some] = [WORKSHOPS, chosen].map((workshops) => workshops.flatMap(({ tasks }) => tasks));
  const refusals = (tasks: readonly SmallTask[] = []) => new Set(tasks.flatMap(({ refused }) => refused)).size;
  expect(new Set(some?.map(({ wire }) => wire))).toEqual(new Set(PROVIDER_WIRES));
  expect(new Set(some?.map(({ forHuman }) => forHuman.length > 0))).toEqual(new Set([true, false]));
  expect(refusals(some)).toBeGreaterThan(refusals(all) * 0.75);
});

describe.each(usable)('small tasks in a project tested with $runner', (workshop) => {
  let project: JobProject;
  let models: ModelServices;
  let home: FluffyHome;
  let developer: PlayedDeveloper;

  beforeAll(async () => {
    project = makeJobProject(workshop.files);
    workshop.prepare?.(project.root);
    giveAway(project.root);
    models = await startModelServices((request) => developer.script(request));
    home = makeFluffyHome(models.env, models.config);
  });

  afterAll(async () => {
    await home.remove([project.root]);
    await models.close();
    project.remove();
  });

  const requestsByWire = () => PROVIDER_WIRES.map((wire) => models.servers[wire].requests.length);

  it.each(workshop.tasks)('$name, over $wire', async (task) => {
    const head = project.git('rev-parse', 'HEAD').trim();
    const asked = requestsByWire();
    developer = playDeveloper(task.developer());

    const { code, stderr, events } = await home.run(
      ['-p', task.ask, '--output-format', 'stream-json', '--model', MODEL_OVER[task.wire]],
      { cwd: project.root },
    );
    expect(stderr).toBe('');
    const calls = bodies(events, 'tool.finished');
    const story = calls.map(({ tool, ok, summary }) => `${ok ? '✓' : '✗'} ${tool} ${summary}`).join('\n');
    expect(developer.lost(), story).toBeNull();
    const refused = calls.flatMap(({ ok, error }) => (ok ? [] : [error?.code]));
    expect(refused.toSorted(), story).toEqual([...task.refused].sort());

    const reasons = bodies(events, 'review.requested').flatMap((event) => event.reasons);
    expect({ code, reasons }, story).toEqual({
      code: task.forHuman.length === 0 ? 0 : 4,
      reasons: task.forHuman.map((reason) => expect.stringMatching(reason) as unknown),
    });
    if (task.forHuman.length > 0) {
      const approved = await home.run(['review', '--approve', '--json'], { cwd: project.root });
      expect(approved.code, approved.stderr).toBe(0);
      for (const reason of reasons) expect(approved.stderr).toContain(`  ${reason}\n`);
      expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'committed' });
    }

    expect(project.git('rev-list', `${head}..HEAD`).trim().split('\n')).toHaveLength(1);
    expect(committedPaths(project)).toEqual([...task.commits].sort());
    expect(project.git('status', '--porcelain')).toBe('');
    const audit = await home.run(['audit', 'verify', '--json'], { cwd: project.root });
    expect(audit.code).toBe(0);
    expect(JSON.parse(audit.stdout)).toMatchObject({ intact: true });
    const others = PROVIDER_WIRES.filter((_, index) => requestsByWire()[index] === asked[index]);
    expect(others).toEqual(PROVIDER_WIRES.filter((wire) => wire !== task.wire));
  });

  it('leaves a project whose tests pass without fluffy too', () => {
    const [program, ...args] = workshop.test;
    expect(() => execFileSync(program, args, { cwd: project.root, stdio: 'pipe' })).not.toThrow();
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe(String(workshop.tasks.length + 1));
  });
});

/** `A path`, `M path`, `D path`, sorted. */
function committedPaths(project: JobProject): SmallTask['commits'] {
  const shown = project.git('show', '--name-status', '--no-renames', '--format=', 'HEAD').trim();
  return shown.replaceAll('\t', ' ').split('\n').sort();
}
