import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bodies } from '../../support/job/event-bodies.ts';
import { giveAway } from '../../support/job/job-project.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { STRAIGHT, STRICT_STATES, WORDY } from '../../support/job/parse-config-turns.ts';
import type { Script } from '../../support/wire/script.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

const KEY = 'sk-ant-a-key-that-must-not-leak-0123456789';
const TASK = 'Add error handling to parseConfig';

const shared = sharedScene({ env: { ANTHROPIC_API_KEY: KEY } });
afterAll(() => shared.close());
const scene = (script: Script): Promise<JobScene> => shared.begin(script);

const run = (s: JobScene, ...args: string[]) => s.run(['-p', TASK, ...args]);

describe('the strict job over the Anthropic wire, in real containers', () => {
  it('ends with one commit made test-first, a clean tree and an intact audit log', async () => {
    const s = await scene(WORDY);
    const result = await run(s);
    expect(result.stderr).toBe('');
    expect(result.code).toBe(0);

    expect(bodies(result.events, 'state.changed').map((event) => event.to)).toEqual(STRICT_STATES);
    expect(result.events.map((event) => event.seq)).toEqual(result.events.map((_, index) => index + 1));
    const finished = result.events.at(-1);
    expect(finished).toMatchObject({ type: 'session.finished', status: 'committed', exit_code: 0 });
    expect(bodies(result.events, 'review.decided')[0]).toMatchObject({ decision: 'approved', by: 'policy' });

    const refusals = bodies(result.events, 'tool.finished').filter((event) => !event.ok);
    expect(refusals.map((event) => event.error?.code)).toEqual(['invalid_input', 'tool_unavailable']);

    expect(s.project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(s.project.git('status', '--porcelain')).toBe('');
    expect(s.project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
      'src/parse-config.js',
      'test/bad-config.test.js',
    ]);
    expect(s.project.git('log', '-1', '--format=%B')).toMatch(/Fluffy-Evidence: [0-9a-f]{64}/);
    s.project.git('fsck', '--strict');
    execFileSync('node', ['--test'], { cwd: s.project.root, stdio: 'pipe' });

    const audit = await s.home.run(['audit', 'verify', '--json'], { cwd: s.project.root });
    expect(audit.code).toBe(0);
    const verdict = JSON.parse(audit.stdout) as { intact: boolean; entries: number; anchored_through: number };
    expect(verdict.intact).toBe(true);
    expect(verdict.anchored_through).toBeGreaterThan(0);
  });

  it('shows the key to the model provider alone', async () => {
    const s = await scene(STRAIGHT);
    const result = await run(s);
    expect(result.code).toBe(0);
    expect(s.model.requests.map((request) => request.headers['authorization'])).toEqual(
      s.model.requests.map(() => `Bearer ${KEY}`),
    );
    const log = await s.home.run(['audit', 'log', '--json'], { cwd: s.project.root });
    const sessions = await s.home.run(['session', 'show', '--json'], { cwd: s.project.root });
    for (const text of [result.stdout, result.stderr, log.stdout, sessions.stdout]) expect(text).not.toContain(KEY);
    const left = spawnSync('grep', ['-rlF', KEY, s.home.env['HOME'] as string, s.project.root], {
      encoding: 'utf8',
    }).stdout.trim();
    expect(left).toBe('');
  }, 200_000);

  it('leaves a dry run without a trace in the project', async () => {
    const s = await scene(STRAIGHT);
    const before = snapshotTree(s.project.root);
    const result = await run(s, '--approve', 'never');
    expect(result.code).toBe(4);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'waiting', exit_code: 4 });
    expect(bodies(result.events, 'review.requested')[0]?.diff).toContain('not valid JSON');
    expect(snapshotTree(s.project.root)).toEqual(before);
  });

  it("keeps a user's staged, dirty and untracked work byte for byte, and waits for them to decide", async () => {
    const s = await scene(STRAIGHT);
    for (const name of ['notes.md', 'plan.md']) writeFileSync(join(s.project.root, name), 'one\n');
    s.project.git('add', '--all');
    s.project.git('commit', '--quiet', '--message', 'Notes');
    writeFileSync(join(s.project.root, 'notes.md'), 'staged\n');
    s.project.git('add', 'notes.md');
    writeFileSync(join(s.project.root, 'plan.md'), 'dirty\n');
    writeFileSync(join(s.project.root, 'scratch.txt'), 'untracked\n');
    giveAway(s.project.root);
    const before = s.project.git('status', '--porcelain');

    const waiting = await run(s);
    expect(waiting.code).toBe(4);
    const shown = await s.home.run(['review', '--json'], { cwd: s.project.root });
    expect(shown.code).toBe(4);
    const approved = await s.home.run(['review', '--approve', '--json'], { cwd: s.project.root });
    expect(approved.code).toBe(0);
    expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'committed' });

    expect(s.project.git('status', '--porcelain')).toBe(before);
    expect(s.project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
      'src/parse-config.js',
      'test/bad-config.test.js',
    ]);
  });
});
