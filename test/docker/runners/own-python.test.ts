import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compare } from 'semver';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { commit, edit, plan, playDeveloper, runTests, say, write } from '../../support/job/developer.ts';
import { MODEL_OVER, startModelServices } from '../../support/wire/model-services.ts';
import type { ModelServices } from '../../support/wire/model-services.ts';

/** Versions of Python of this machine: `FLUFFY_PYTHONS`, or those of pyenv. The images have another one. */
const VERSIONS = process.env['FLUFFY_PYTHONS'] ?? join(userInfo().homedir, '.pyenv/versions');
const installed = existsSync(VERSIONS) ? readdirSync(VERSIONS).filter((name) => /^3\.1[23]\.\d+$/.test(name)) : [];
const version = installed.toSorted(compare).at(-1) ?? '';

const scenes: { project: JobProject; home: FluffyHome; models: ModelServices }[] = [];
afterEach(async () => {
  for (const { project, home, models } of scenes.splice(0)) {
    await home.remove([project.root]);
    await models.close();
    project.remove();
  }
});

function* developer() {
  yield say('The test first.', plan('Add', 'Test', 'Source'), write('test_add.py', ADDS), runTests());
  yield say('', edit('calc.py', 'a - b', 'a + b'), runTests(), {
    tool: 'shell.run',
    input: { command: ['python', '-c', 'import sys; assert sys.version.startswith(sys.argv[1] + " ")', version] },
  });
  yield say('', commit('Add'));
}

const ADDS = `import subprocess
import sys
import unittest

from calc import add


class AddTest(unittest.TestCase):
    def test_add_with_the_python_of_the_project(self):
        said = subprocess.check_output(["python", "--version"], text=True).strip()
        self.assertEqual((add(1, 2), said), (3, "Python ${version}"))
        self.assertEqual(sys.version.split()[0], "${version}")
`;

describe('a project that asks for another Python', () => {
  it.skipIf(version === '')(`is tested with it where pyenv has it: ${version}`, async () => {
    const files = { '.python-version': `${version}\n`, 'calc.py': 'def add(a, b):\n    return a - b\n' };
    const project = makeJobProject({ ...files, 'test_calc.py': ADDS.replace(/\(add.*$/ms, 'add(3, 0), 3)\n') });
    const played = playDeveloper(developer());
    const models = await startModelServices((request) => played.script(request));
    const home = makeFluffyHome(models.env, models.config);
    scenes.push({ project, home, models });
    mkdirSync(join(home.env['HOME'] ?? '', '.pyenv'));
    symlinkSync(VERSIONS, join(home.env['HOME'] ?? '', '.pyenv/versions'));

    const args = ['-p', 'Add', '--output-format', 'stream-json', '--model', MODEL_OVER.messages];
    const { events, stderr } = await home.run(args, { cwd: project.root });
    const story = bodies(events, 'tool.finished').map(({ tool, summary, error }) => [tool, summary, error?.message]);
    expect(
      bodies(events, 'test.finished').map(({ outcome }) => outcome),
      JSON.stringify(story) + stderr,
    ).toEqual(['failed', 'passed']);
    expect(story).toContainEqual(['shell.run', 'exited with 0', undefined]);
    expect(events.at(-1), JSON.stringify(story)).toMatchObject({ status: 'committed', exit_code: 0 });
    const notes = bodies(events, 'notice').filter(({ code }) => code === 'project_python');
    expect(notes).toMatchObject([
      { level: 'info', what: `Python ${version} from pyenv, requested by .python-version` },
    ]);
  });
});
