import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { textFile } from '../../src/host/images/rootfs/rootfs-entry.ts';
import { bodies } from '../support/job/event-bodies.ts';
import { makeFluffyHome } from '../support/job/fluffy-home.ts';
import type { FluffyHome } from '../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../support/job/job-project.ts';
import type { JobProject } from '../support/job/job-project.ts';
import { MODEL_OVER, startModelServices } from '../support/wire/model-services.ts';
import type { ModelServices } from '../support/wire/model-services.ts';
import { calls } from '../support/wire/script.ts';
import type { ScriptedTurn } from '../support/wire/script.ts';
import { STRICT_TASKS } from './runners/strict-tasks.ts';
import { MARKER_MODULE, STACK, makeUserImage, type UserImage } from './support/user-image.ts';

/** Everything by which an image could change what a sandbox is. */
const HOSTILE = [
  'ENTRYPOINT ["/bin/false"]',
  'CMD ["/bin/false"]',
  'USER root',
  'WORKDIR /nowhere',
  'ENV STACK_HOME=/opt/stack',
  'ENV LD_PRELOAD=/opt/stack/evil.so',
  `ENV NODE_OPTIONS=--require=${STACK}/evil.cjs`,
  'ENV HOME=/root',
  'ENV GIT_DIR=/nowhere',
  'VOLUME /data',
  'VOLUME /tmp',
  'VOLUME /var',
  'HEALTHCHECK --interval=1s CMD touch /tmp/health',
  'ONBUILD RUN touch /built-on',
  'EXPOSE 80',
];

/** Fails wherever code of the project runs elsewhere than in the image. */
const IN_IMAGE = {
  'node-test': {
    'test/image.test.js': `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';

test('runs in the image', () => {
  assert.equal(process.execPath, '${STACK}/bin/node');
  assert.equal(process.env.STACK_HOME, '${STACK}');
  assert.deepEqual([process.env.NODE_OPTIONS, process.env.LD_PRELOAD, process.env.GIT_DIR], [undefined, undefined, undefined]);
  assert.match(execFileSync('node', ['--version']).toString(), /^v/);
});
`,
  },
  unittest: {
    'tests/test_image.py': `import unittest
import ${MARKER_MODULE}


class Image(unittest.TestCase):
    def test_image(self):
        self.assertEqual(${MARKER_MODULE}.NAME, 'stack')
`,
  },
} as const;

const NOTHING = [textFile('etc/empty', '')];

/** What a command finds in the sandbox. */
const LOOK = `
id -u
for f in /x /data/x /usr/x /opt/fluffy/x /var/x; do touch "$f" 2>/dev/null && echo "wrote $f"; done
test -e /tmp/health && echo health
env | grep -E 'LD_PRELOAD|NODE_OPTIONS|GIT_DIR|HOME='
grep -E 'CapEff|NoNewPrivs|Seccomp:' /proc/self/status
ls /sys/class/net
`;

let image: UserImage;
const scenes: { project: JobProject; home: FluffyHome; models: ModelServices }[] = [];

beforeAll(async () => {
  image = await makeUserImage('project', { changes: HOSTILE });
});
afterEach(async () => {
  for (const { project, home, models } of scenes.splice(0)) {
    await home.remove([project.root]);
    await models.close();
    project.remove();
  }
});
afterAll(() => image.remove());

async function scene(files: Readonly<Record<string, string>>, script: readonly ScriptedTurn[]) {
  const project = makeJobProject(files);
  giveAway(project.root);
  const models = await startModelServices(script);
  const home = makeFluffyHome(models.env, models.config);
  scenes.push({ project, home, models });
  const used = await home.run(['image', 'use', image.reference], { cwd: project.root });
  return { project, home, used };
}

const PLAN = calls({ tool: 'plan.complete', input: { summary: 'Parse pairs', steps: ['test', 'source'] } });
const write = (file: { readonly path: string; readonly content: string }) => calls({ tool: 'fs.write', input: file });
const RUN = calls({ tool: 'test.run', input: {} });
const COMMIT = calls({ tool: 'git.commit', input: { message: 'Parse pairs' } });

describe('an image that the user names for a project', () => {
  it.each(['node-test', 'unittest'] as const)('runs a whole strict task with %s', async (name) => {
    const task = STRICT_TASKS[name];
    if (task === undefined) throw new Error(`no task ${name}`);
    const turns = [PLAN, write(task.test), RUN, write(task.cheat), RUN, write(task.source), RUN, COMMIT];
    const { project, home, used } = await scene({ ...task.files, ...IN_IMAGE[name] }, turns);
    expect(used.stderr).toContain(`run in ${image.reference}`);
    expect(used.stdout).toContain(image.id);
    expect(used.stdout).toContain(`node: ${process.version} (${STACK}/bin/node)`);
    expect(used.code).toBe(0);

    const args = ['-p', 'Parse pairs', '--output-format', 'stream-json', '--model', MODEL_OVER[task.wire]];
    const result = await home.run(args, { cwd: project.root });
    const errors = bodies(result.events, 'tool.finished').map(({ error }) => error?.message ?? 'ok');
    const outcomes = bodies(result.events, 'test.finished').map(({ outcome }) => outcome);
    expect(outcomes, errors.join('\n')).toEqual(['failed', expect.not.stringMatching(/^passed$/), 'passed']);
    expect(result.events.at(-1)).toMatchObject({ status: 'committed', exit_code: 0 });
    expect(bodies(result.events, 'session.started')).toMatchObject([{ images: { project: image.id } }]);

    const evidence = project.git('log', '-1', '--format=%B');
    expect(evidence).toContain('Parse pairs');
    const log = await home.run(['audit', 'log', '--json'], { cwd: project.root });
    expect(log.stdout).toContain(`${image.reference} ${image.id}`);
    const shown = await home.run(['audit', 'verify', '--range', 'HEAD~1..HEAD', '--json'], { cwd: project.root });
    expect(shown.code).toBe(0);
  });

  it('gets no more into a sandbox than its files: no user, variable, volume, health check or build step', async () => {
    const task = STRICT_TASKS['node-test'];
    const shell = { tool: 'shell.run', input: { command: ['sh', '-c', LOOK] } };
    const { project, home } = await scene({ ...task?.files }, [calls(shell)]);
    const args = ['-p', 'Look', '--output-format', 'stream-json', '--model', MODEL_OVER.messages, '--mode', 'explore'];
    await home.run(args, { cwd: project.root });
    const models = scenes.at(-1)?.models;
    const told = JSON.stringify(models?.servers.messages.requests.at(-1)?.body);
    const found = [
      ...['exited with 0', 'stdout:', '1000', 'HOME=/var/opt', 'STACK_HOME=/opt/stack'],
      ...['CapEff:\t0000000000000000', 'NoNewPrivs:\t1', 'Seccomp:\t2', 'lo', ''],
    ];
    expect(told).toContain(JSON.stringify(found.join('\n')));
  });

  it('is refused with its reason where no sandbox can be made of it', async () => {
    const { project, home } = await scene({ 'a.txt': 'a\n' }, []);
    const labelled = await makeUserImage('labelled', { changes: ['LABEL fluffy.role=kernel'], entries: NOTHING });
    const shellless = await makeUserImage('shellless', { entries: NOTHING });
    try {
      for (const [{ reference }, why] of [
        [labelled, 'it has the label fluffy.role'],
        [shellless, 'no program could be run in it by /bin/sh'],
        [{ reference: `sha256:${'a'.repeat(64)}` }, 'the engine does not have it'],
      ] as const) {
        const refused = await home.run(['image', 'use', reference], { cwd: project.root });
        expect(refused.stderr).toContain(why);
        expect(refused.code).toBe(3);
      }
    } finally {
      await labelled.remove();
      await shellless.remove();
    }
  });

  it('is named by doctor, and goes with --none', async () => {
    const { project, home } = await scene({ 'a.txt': 'a\n' }, []);
    const doctor = async (): Promise<string> => (await home.run(['doctor', '--json'], { cwd: project.root })).stdout;
    expect(await doctor()).toContain(`tests and commands of this project run in ${image.reference}`);
    expect((await home.run(['image', 'use', '--none'], { cwd: project.root })).code).toBe(0);
    expect(await doctor()).not.toContain(image.reference);
  });
});
