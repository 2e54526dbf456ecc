import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { giveAway } from '../../support/job/job-project.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { STRAIGHT } from '../../support/job/parse-config-turns.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

const TASK = 'Add error handling to parseConfig';
const scenes: JobScene[] = [];

afterEach(async () => {
  for (const each of scenes.splice(0)) await each.close();
});

async function committed(): Promise<JobScene> {
  const made = await jobScene(STRAIGHT);
  scenes.push(made);
  const result = await made.run(['-p', TASK]);
  expect(result.code).toBe(0);
  return made;
}

const undo = ({ home, project }: JobScene) => home.run(['session', 'undo', '--json'], { cwd: project.root });

/** All of the project but what git keeps of its past. */
const stateOf = ({ project }: JobScene) => ({
  head: project.git('rev-parse', 'HEAD').trim(),
  index: project.git('ls-files', '--stage'),
  status: project.git('status', '--porcelain'),
  files: Object.fromEntries(Object.entries(snapshotTree(project.root)).filter(([path]) => !/^\.git(\/|$)/.test(path))),
});

describe('fluffy session undo', () => {
  it('refuses while files were edited since, with their names; then restores files, index and branch, on record', async () => {
    const made = await jobScene(STRAIGHT);
    scenes.push(made);
    const before = stateOf(made);
    expect((await made.run(['-p', TASK])).code).toBe(0);
    const commit = made.project.git('rev-parse', 'HEAD').trim();

    appendFileSync(join(made.project.root, 'src/parse-config.js'), '// mine\n');
    const mine = stateOf(made);
    const refused = await undo(made);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ outcome: 'refused', paths: ['src/parse-config.js'] });
    expect(stateOf(made)).toEqual(mine);

    made.project.git('checkout', '-q', '--', 'src/parse-config.js');
    writeFileSync(join(made.project.root, 'untracked.txt'), 'mine\n');
    giveAway(made.project.root);
    const done = await undo(made);
    expect(done.stderr).not.toContain('rror');
    expect(JSON.parse(done.stdout)).toMatchObject({ outcome: 'undone', commit });
    expect(done.code).toBe(0);
    const after = stateOf(made);
    expect(after).toEqual({
      ...before,
      status: '?? untracked.txt\n',
      files: { ...before.files, 'untracked.txt': after.files['untracked.txt'] },
    });
    expect(made.project.git('reflog', '-1', '--format=%gs').trim()).toMatch(/^undo: moving to /);
    made.project.git('fsck', '--strict');

    const again = await undo(made);
    expect(again.code).toBe(2);
    const log = await made.home.run(['audit', 'log', '--json'], { cwd: made.project.root });
    const types = log.stdout.split('\n').flatMap((line) => /"event_type":"(merge_[a-z]+)"/.exec(line)?.[1] ?? []);
    expect(types.slice(-4)).toEqual(['merge_intent', 'merge_rejected', 'merge_intent', 'merge_undone']);
    const audit = await made.home.run(['audit', 'verify', '--json'], { cwd: made.project.root });
    expect(audit.code).toBe(0);
  });

  it('refuses after a commit of the user', async () => {
    const s = await committed();
    s.project.git('commit', '-q', '--allow-empty', '-m', 'mine');
    giveAway(s.project.root);
    const before = stateOf(s);
    const refused = await undo(s);
    expect(refused.code).toBe(1);
    expect(stateOf(s)).toEqual(before);
  });
});
