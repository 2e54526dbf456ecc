import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { hasPytest } from '../../support/has-pytest.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { STRICT_STATES } from '../../support/job/parse-config-turns.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';
import { calls } from '../../support/wire/script.ts';
import type { ScriptedTurn } from '../../support/wire/script.ts';
import { STRICT_TASKS } from './strict-tasks.ts';
import type { StrictTask } from './strict-tasks.ts';

const write = (file: { readonly path: string; readonly content: string }) => calls({ tool: 'fs.write', input: file });
const RUN = calls({ tool: 'test.run', input: {} });

function script(task: StrictTask): readonly ScriptedTurn[] {
  const plan = { summary: 'Parse pairs', steps: ['test', 'source'] };
  return [
    calls({ tool: 'plan.complete', input: plan }),
    write(task.test),
    RUN,
    write(task.cheat),
    RUN,
    write(task.source),
    RUN,
    calls({ tool: 'git.commit', input: { message: 'Parse pairs' } }),
  ];
}

interface Scene {
  readonly project: JobProject;
  readonly home: FluffyHome;
  readonly models: ModelServices;
}

const scenes: Scene[] = [];

afterEach(async () => {
  for (const { project, home, models } of scenes.splice(0)) {
    await home.remove([project.root]);
    await models.close();
    project.remove();
  }
});

async function play(task: StrictTask): Promise<Scene & { readonly result: RunResult }> {
  const project = makeJobProject(task.files);
  task.prepare?.(project.root);
  giveAway(project.root);
  const models = await startModelServices(script(task));
  const home = makeFluffyHome(models.env, models.config);
  const scene = { project, home, models };
  scenes.push(scene);
  const args = ['-p', 'Parse pairs', '--output-format', 'stream-json', '--model', MODEL_OVER[task.wire]];
  return { ...scene, result: await home.run(args, { cwd: project.root }) };
}

/**
 * One runner of each language in `npm test`, all of them in `npm run soak`. It is enough because each runner does two tasks in containers in
 * test/docker/tasks/, and what its cheats come to is tested with the real runner in test/kernel/runners/.
 */
const SAMPLE = ['node-test', 'unittest'];

describe('the strict job with the project’s own runner, in real containers', () => {
  it.each(
    Object.entries(STRICT_TASKS)
      .filter(([name]) => process.env['FLUFFY_SOAK'] === '1' || SAMPLE.includes(name))
      .filter(([name]) => name !== 'pytest' || hasPytest())
      .map(([name, task]) => ({ name, wire: task.wire, task })),
  )('ends in one commit under $name over $wire, after refusing a source that cheats', async ({ task }) => {
    const { project, home, models, result } = await play(task);
    expect(result.stderr).toBe('');
    const asked = Object.entries(models.servers).filter(([, server]) => server.requests.length > 0);
    expect(asked.map(([wire]) => wire)).toEqual([task.wire]);

    const runs = bodies(result.events, 'test.finished');
    const errors = bodies(result.events, 'tool.finished').map(({ error }) => error?.message ?? 'ok');
    expect(
      runs.map(({ outcome }) => outcome),
      errors.join('\n'),
    ).toEqual(['failed', expect.not.stringMatching(/^passed$/), 'passed']);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'committed', exit_code: 0 });
    expect(bodies(result.events, 'state.changed').map((event) => event.to)).toEqual([
      ...STRICT_STATES.slice(0, 3),
      'validating',
      'code_writing',
      ...STRICT_STATES.slice(3),
    ]);
    const last = runs.at(-1)?.cases?.map((each) => each.name) ?? [];
    expect(last.toSorted()).toEqual(task.cases);

    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(project.git('status', '--porcelain')).toBe('');
    const shown = project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort();
    expect(shown).toEqual([task.source.path, task.test.path].sort());
    expect(readFileSync(`${project.root}/${task.source.path}`, 'utf8')).toBe(task.source.content);

    const audit = await home.run(['audit', 'verify', '--json'], { cwd: project.root });
    expect(audit.code).toBe(0);
    expect(JSON.parse(audit.stdout)).toMatchObject({ intact: true });
  });
});
