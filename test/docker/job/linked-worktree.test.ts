import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome } from '../../support/job/fluffy-home.ts';
import { giveAway, makeJobProject, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import { stateDrivenModel } from '../../support/job/state-driven-model.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';

/** Fails where a sandbox sees more of the repository than a worktree of it: other branches' files, hooks, remotes. */
const LOOKS_AROUND = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import test from 'node:test';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
test('git works, and shows this worktree alone', () => {
  assert.match(git('rev-parse', '--abbrev-ref', 'HEAD'), /^(left|right)$/);
  assert.doesNotMatch(git('config', '--list', '--local'), /user|remote|hook/);
  assert.ok(existsSync('.git/HEAD'));
});
test('the shared configuration is not there', () => assert.ok(!existsSync(process.cwd() + '/../pro ject/.git/config')));
`;

const project = makeJobProject({ ...PARSE_CONFIG_FILES, 'notes.md': 'one\n' });
const places = ['left', 'right'].map((branch) => join(dirname(project.root), branch));
let model: WireServer;
let home: FluffyHome;

beforeAll(async () => {
  for (const [index, place] of places.entries())
    project.git('worktree', 'add', '-q', '-b', ['left', 'right'][index] ?? '', place);
  mkdirSync(join(project.root, '.git/hooks'), { recursive: true });
  appendFileSync(join(project.root, 'notes.md'), 'half done\n');
  giveAway(dirname(project.root));
  model = await startAnthropicServer(stateDrivenModel);
  home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
});

afterAll(async () => {
  await home.remove(places);
  await model.close();
  project.remove();
});

it('two strict jobs at once, in two worktrees of one repository, each commit to their own branch and leave the main checkout alone', async () => {
  for (const place of places) {
    writeFileSync(join(place, 'test/looks-around.test.js'), LOOKS_AROUND);
    execFileSync('git', ['-c', 'safe.directory=*', 'add', '-A'], { cwd: place });
    execFileSync(
      'git',
      ['-c', 'safe.directory=*', '-c', 'user.name=Ada', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'Look'],
      { cwd: place },
    );
  }
  giveAway(dirname(project.root));
  const ofMain = () => ({
    files: Object.fromEntries(
      Object.entries(snapshotTree(project.root)).filter(([path]) => !/^\.git(\/|$)/.test(path)),
    ),
    status: project.git('status', '--porcelain'),
    head: project.git('rev-parse', 'main', 'HEAD'),
  });
  const before = ofMain();
  const task = [
    '--model',
    'anthropic/claude-test',
    '--output-format',
    'stream-json',
    '-p',
    'Fail with a clear message',
  ];
  const results = await Promise.all(places.map((cwd) => home.run(task, { cwd })));
  for (const result of results) {
    expect(result.stderr).toBe('');
    const refusals = bodies(result.events, 'tool.finished').filter(({ ok }) => !ok);
    expect(result.events.at(-1), JSON.stringify(refusals)).toMatchObject({
      type: 'session.finished',
      status: 'committed',
    });
  }
  for (const branch of ['left', 'right']) {
    expect(project.git('rev-list', '--count', `main..${branch}`).trim()).toBe('2');
    expect(project.git('log', '-1', '--format=%B', branch)).toMatch(/Fluffy-Evidence: [0-9a-f]{64}/);
  }
  for (const cwd of places)
    expect(execFileSync('git', ['-c', 'safe.directory=*', 'status', '--porcelain'], { cwd, encoding: 'utf8' })).toBe(
      '',
    );
  project.git('fsck', '--strict');
  expect(ofMain()).toEqual(before);
});
