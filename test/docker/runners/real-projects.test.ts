import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bunToolchain } from '../../support/bun-toolchain.ts';
import { hasFramework } from '../../support/cxx-tools.ts';
import { denoToolchain } from '../../support/deno-toolchain.ts';
import { goToolchain } from '../../support/go-toolchain.ts';
import { phpToolchain } from '../../support/php-toolchain.ts';
import { hasRspec, rubyToolchain } from '../../support/ruby-toolchain.ts';
import { rustToolchain } from '../../support/rust-toolchain.ts';
import { toolchainEnv } from '../../support/toolchain-env.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';
import { commit, edit, plan, playDeveloper, runTests, say, write } from '../../support/job/developer.ts';
import type { Developer, PlayedDeveloper } from '../../support/job/developer.ts';
import { cargoProject } from './real-projects/cargo.ts';
import { ctestProject } from './real-projects/ctest.ts';
import { djangoForRealProject, djangoProject } from './real-projects/django.ts';
import { genericProject } from './real-projects/generic.ts';
import { jestProject, mochaProject } from './real-projects/javascript.ts';
import { goProject } from './real-projects/go.ts';
import { isSoak, mavenForRealProject, mavenProject } from './real-projects/maven.ts';
import { phpunitProject } from './real-projects/phpunit.ts';
import { rspecProject } from './real-projects/rspec.ts';
import { bunProject, denoProject } from './real-projects/runtimes.ts';
import type { RealProject } from './real-projects/real-project.ts';

/** Why a runner is not tried. */
const left = new Map<string, string>();
const DEADLINE_MS = isSoak ? 600_000 : 150_000;
const ABSENT = 'this machine does not have its toolchain';

const PROJECTS: readonly RealProject[] = [
  jestProject,
  mochaProject,
  djangoProject,
  goProject,
  cargoProject,
  ctestProject,
  genericProject,
  mavenProject,
  phpunitProject,
  rspecProject,
  bunProject,
  denoProject,
];

function* fixing({ test, fix }: RealProject): Developer {
  yield say('The bug first, as a test.', plan('Fix it', 'Test', 'Source'), write(test.path, test.content), runTests());
  yield say('', edit(fix.path, fix.old_string, fix.new_string), runTests());
  yield say('', commit('Fix it'));
}

describe('a bug of a real project, fixed test-first in real containers', () => {
  let models: ModelServices;
  let home: FluffyHome;
  let developer: PlayedDeveloper;
  const projects: JobProject[] = [];

  beforeAll(async () => {
    if ((await goToolchain()) === null) left.set('go-test', ABSENT);
    if ((await rustToolchain()) === null) left.set('cargo-test', ABSENT);
    if ((await phpToolchain()) === null) left.set('phpunit', ABSENT);
    if (djangoForRealProject === null) left.set('django-test', 'pip cannot install Django here');
    if (!hasFramework('gtest')) left.set('ctest', ABSENT);
    if (!hasRspec(await rubyToolchain())) left.set('rspec', ABSENT);
    const [bun, deno] = [await bunToolchain(), await denoToolchain()];
    if (bun === null) left.set('bun-test', ABSENT);
    if (deno === null) left.set('deno-test', ABSENT);
    if (mavenForRealProject === null) left.set('maven', isSoak ? ABSENT : 'it takes over a minute: npm run soak');
    models = await startModelServices((request) => developer.script(request));
    const { PATH, RUSTUP_HOME } = toolchainEnv();
    const runtimes = [bun, deno].flatMap((each) => each?.forTests.path ?? []);
    const path = [PATH, ...runtimes].join(':');
    home = makeFluffyHome({ ...models.env, PATH: path, RUSTUP_HOME }, models.config);
  }, 900_000);

  afterAll(async () => {
    await home.remove(projects.map(({ root }) => root));
    await models.close();
    for (const each of projects) each.remove();
  });

  it.for(PROJECTS)('$runner: $name', { timeout: DEADLINE_MS + 30_000 }, async (real, { skip }) => {
    skip(left.has(real.runner), left.get(real.runner));
    const project = makeJobProject(real.files());
    projects.push(project);
    real.prepare?.(project.root, home.env['HOME'] ?? '');
    giveAway(project.root);
    developer = playDeveloper(fixing(real));

    const args = ['-p', 'Fix the bug', '--output-format', 'stream-json', '--model', MODEL_OVER.messages];
    const { code, stderr, events } = await home.run(args, { cwd: project.root, timeoutMs: DEADLINE_MS });
    const calls = bodies(events, 'tool.finished');
    const story = calls.map(
      ({ tool, ok, summary, error }) => `${ok ? '✓' : '✗'} ${tool} ${summary} ${error?.message ?? ''}`,
    );
    expect(stderr).toBe('');
    const runs = bodies(events, 'test.finished');
    expect(
      runs.map(({ outcome }) => outcome),
      story.join('\n'),
    ).toEqual(['failed', 'passed']);
    const failed = runs[0]?.cases?.filter(({ status }) => status === 'failed').map(({ name }) => name) ?? [];
    expect(failed.toSorted()).toEqual([...real.cases].sort());

    const reasons = bodies(events, 'review.requested').flatMap((event) => event.reasons);
    expect({ code, reasons }, story.join('\n')).toEqual({
      code: real.forHuman.length === 0 ? 0 : 4,
      reasons: real.forHuman.map((reason) => expect.stringMatching(reason) as unknown),
    });
    if (real.forHuman.length > 0) {
      const approved = await home.run(['review', '--approve', '--json'], { cwd: project.root });
      expect(approved, approved.stdout + approved.stderr).toMatchObject({ code: 0 });
    }

    const shown = project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort();
    expect(shown).toEqual([real.fix.path, real.test.path].sort());
    const audit = await home.run(['audit', 'verify', '--json'], { cwd: project.root });
    expect(JSON.parse(audit.stdout)).toMatchObject({ intact: true });
  });
});
