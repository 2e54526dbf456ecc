import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { OLDEST_NODE } from '../../../src/host/images/sandbox-node.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';
import { calls } from '../../support/wire/script.ts';
import { STRICT_TASKS } from './strict-tasks.ts';

/** A Node of this machine beside the one of the images: `FLUFFY_OTHER_NODE`, or that of the distribution. */
const OTHER = process.env['FLUFFY_OTHER_NODE'] ?? '/usr/bin/node';
const version = existsSync(OTHER) ? execFileSync(OTHER, ['--version']).toString().trim() : process.version;
const hasOther = version !== process.version && Number.parseInt(version.slice(1), 10) >= OLDEST_NODE;

/** Fails with any other Node. */
const asserting = (expected: string) => ({
  'test/node.test.js': `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

test('runs with the Node of the project', () => {
  assert.equal(process.version, '${expected}');
  assert.equal(execFileSync('node', ['--version']).toString().trim(), '${expected}');
  assert.equal(execFileSync(process.execPath, ['--version']).toString().trim(), '${expected}');
});
`,
});

const scenes: { project: JobProject; home: FluffyHome; models: ModelServices }[] = [];
afterEach(async () => {
  for (const { project, home, models } of scenes.splice(0)) {
    await home.remove([project.root]);
    await models.close();
    project.remove();
  }
});

const PLAN = calls({ tool: 'plan.complete', input: { summary: 'Parse pairs', steps: ['test', 'source'] } });
const write = (file: { readonly path: string; readonly content: string }) => calls({ tool: 'fs.write', input: file });
const RUN = calls({ tool: 'test.run', input: {} });
const SHELL = calls({ tool: 'shell.run', input: { command: ['sh', '-c', 'node --version; command -v node'] } });
const COMMIT = calls({ tool: 'git.commit', input: { message: 'Parse pairs' } });

async function play(files: Readonly<Record<string, string>>, installed: boolean) {
  const task = STRICT_TASKS['node-test'];
  if (task === undefined) throw new Error('no task');
  const project = makeJobProject({ ...task.files, ...files });
  giveAway(project.root);
  const turns = [PLAN, write(task.test), RUN, write(task.cheat), RUN, write(task.source), RUN, SHELL, COMMIT];
  const models = await startModelServices(turns);
  const home = makeFluffyHome(models.env, models.config);
  scenes.push({ project, home, models });
  if (installed) {
    const program = join(home.env['HOME'] ?? '', '.nvm/versions/node', version, 'bin/node');
    mkdirSync(dirname(program), { recursive: true });
    copyFileSync(OTHER, program);
    chmodSync(program, 0o755);
  }
  const args = ['-p', 'Parse pairs', '--output-format', 'stream-json', '--model', MODEL_OVER[task.wire]];
  const result = await home.run(args, { cwd: project.root });
  const errors = bodies(result.events, 'tool.finished').map(({ error }) => error?.message ?? 'ok');
  return { project, home, models, result, errors: `${errors.join('\n')}\n${result.stderr}` };
}

const notices = (events: Parameters<typeof bodies>[0]) =>
  bodies(events, 'notice')
    .filter(({ code }) => code === 'project_node')
    .map(({ level, what }) => ({ level, what }));

describe('a project that asks for another Node', () => {
  it.skipIf(!hasOther)(`is tested with it where nvm has it: ${version}`, async () => {
    const major = version.slice(1).split('.')[0] ?? '';
    const { project, home, models, result, errors } = await play(
      { '.nvmrc': `${major}\n`, ...asserting(version) },
      true,
    );
    const runs = bodies(result.events, 'test.finished');
    expect(
      runs.map(({ outcome }) => outcome),
      errors,
    ).toEqual(['failed', expect.not.stringMatching(/^passed$/), 'passed']);
    expect(result.events.at(-1), errors).toMatchObject({ status: 'committed', exit_code: 0 });
    const what = `Node ${version.slice(1)} from nvm, requested by .nvmrc`;
    expect(notices(result.events)).toEqual([{ level: 'info', what }]);
    const told = JSON.stringify(models.servers.messages.requests.at(-1)?.body);
    expect(told).toContain(version);
    const doctor = await home.run(['doctor'], { cwd: project.root });
    expect(doctor.stdout + doctor.stderr).toContain(what);
  });

  it('is tested with that of the images where no one has it, and says how to get it', async () => {
    const { result, errors } = await play({ '.nvmrc': '38\n', ...asserting(process.version) }, false);
    expect(result.events.at(-1), errors).toMatchObject({ status: 'committed', exit_code: 0 });
    const major = process.version.slice(1).split('.')[0] ?? '';
    expect(notices(result.events)).toEqual([
      { level: 'warn', what: `.nvmrc asks for Node 38; tests and commands run with Node ${major}` },
    ]);
  });
});
