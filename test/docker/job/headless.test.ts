import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { stopSupervisor } from '../../../src/cli/supervisor/client/stop-supervisor.ts';
import { jobScene } from '../../support/job/job-scene.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { COMMIT, RUN_TESTS, STRAIGHT } from '../../support/job/parse-config-turns.ts';
import { calls, turn } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';

/**
 * What only a process with a kernel in containers can show: pipes, several processes at once, and what is on disk afterwards. Every output format,
 * argument, exit code and line of input: test/cli/headless/whole-runs.test.ts, in one process.
 */

const shared = sharedScene();
afterAll(() => shared.close());
const scene = (script: Script) => shared.begin(script);

const commitsOf = ({ project }: JobScene) => Number(project.git('rev-list', '--count', 'HEAD').trim());
const seqs = (events: readonly FluffyEvent[]) => events.map((event) => event.seq);
const from = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);

describe('piped input', () => {
  it('that pauses is read to its end', async () => {
    const s = await scene(() => turn({ text: 'Here.' }));
    const held = s.start(['-p', 'Look'], { openInput: true });
    held.child.stdin.write('so far, ');
    let errors = '';
    await new Promise<void>((said) => {
      held.child.stderr.on('data', (chunk: Buffer) => {
        errors += chunk.toString();
        if (errors.includes('reading standard input to its end')) said();
      });
    });
    held.child.stdin.end('and so on');
    expect((await held.exit).code).toBe(0);
    expect(JSON.stringify(s.model.requests[0]?.body)).toContain('so far, and so on');
  });
});

describe('a review, from a run to the audit log', () => {
  it('is rejected, made again and approved; one consent is on record, and a row that somebody changed is found', async () => {
    const s = await jobScene([...STRAIGHT, RUN_TESTS, COMMIT]);
    try {
      await nothingDone(s);
      await wholeReview(s);
      await spoilAudit(s);
    } finally {
      await s.close();
    }
  });
});

/** There is nothing wrong with a project that was never worked on. */
async function nothingDone(s: JobScene): Promise<void> {
  const cwd = s.project.root;
  const unused = await s.home.run(['audit', 'verify', '--json'], { cwd });
  expect({ code: unused.code, verdict: JSON.parse(unused.stdout) as unknown }).toEqual({
    code: 0,
    verdict: {
      epoch: 1,
      intact: true,
      entries: 0,
      deleted: false,
      head: null,
      anchored_through: 0,
      first_bad: null,
      trustworthy_through: 0,
      earlier: [],
    },
  });
  expect(await s.home.run(['audit', 'log', '--json'], { cwd })).toMatchObject({ code: 0, stdout: '' });
}

async function wholeReview(s: JobScene): Promise<void> {
  const cwd = s.project.root;
  expect((await s.run(['-p', 'Add error handling', '--approve', 'ask'])).code).toBe(4);
  const before = await s.home.run(['audit', 'log', '--json'], { cwd });
  expect(before.stdout).not.toContain('merge_approved');

  const shown = await s.home.run(['review'], { cwd });
  expect(shown.code).toBe(4);
  expect(shown.stdout).toMatch(/\+.*not valid JSON/);
  const rejected = await s.home.run(['review', '--reject', 'once more'], { cwd });
  expect({ code: rejected.code, stderr: rejected.stderr }).toEqual({ code: 0, stderr: '' });
  expect((await s.home.run(['review'], { cwd })).code).toBe(2);

  const again = await s.run(['-c', '-p', 'Go on', '--approve', 'ask']);
  expect(again.events.at(-1)).toMatchObject({ status: 'waiting', exit_code: 4 });
  expect(JSON.stringify(s.model.requests.at(-1)?.body)).toContain('once more');
  const card = await s.home.run(['review', '--json'], { cwd });
  const approved = await s.home.run(['review', '--approve', '--json'], { cwd });
  const commit = s.project.git('rev-parse', 'HEAD').trim();
  expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'committed', commit });
  expect(s.project.git('log', '-1', '--format=%s')).toBe('Say what is wrong with a bad configuration\n');
  const log = await s.home.run(['audit', 'log', '--json'], { cwd });
  const consents = log.stdout.split('\n').filter((line) => line.includes('"event_type":"merge_approved"'));
  expect(consents).toHaveLength(1);
  expect(consents[0]).toContain((JSON.parse(card.stdout) as { sha256: string }).sha256);
}

/** Anchors and records of the host: spoiled one after the other. */
async function spoilAudit(s: JobScene): Promise<void> {
  const cwd = s.project.root;
  const dirs = projectDirs(userDirs(s.home.env), cwd, projectIdOf(cwd));
  const verify = () => s.home.run(['audit', 'verify', '--json'], { cwd });
  await stopSupervisor(dirs);
  expect((await verify()).code).toBe(0);

  const anchors = readFileSync(dirs.anchors);
  appendFileSync(dirs.anchors, 'not an anchor\n');
  const spoiled = await verify();
  expect(spoiled.code).toBe(10);
  expect(spoiled.stdout).toMatch(/anchors\.jsonl/);
  writeFileSync(dirs.anchors, anchors);
  expect((await verify()).code).toBe(0);

  const database = new Database(dirs.database);
  database.exec('DROP TRIGGER IF EXISTS audit_no_update');
  const changed = database
    .prepare(
      'UPDATE audit SET body = replace(body, \'"policy_decision":"allowed"\', \'"policy_decision":"denied"\') WHERE id = 2',
    )
    .run();
  database.close();
  expect(changed.changes).toBe(1);
  const broken = await verify();
  expect(broken.code).toBe(10);
  expect(JSON.parse(broken.stdout)).toMatchObject({ intact: false, first_bad: { id: 2 }, trustworthy_through: 1 });
}

describe('two at once', () => {
  it('share one kernel, each with its own session and its own stream', async () => {
    const s = await scene((request) => turn({ text: `You said ${request.lastText}.`, beforeMs: 300 }));
    const [one, two] = await Promise.all([s.run(['-p', 'first']), s.run(['-p', 'second'])]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(one.events.at(-1)?.session_id).not.toBe(two.events.at(-1)?.session_id);
    for (const { events } of [one, two]) {
      expect(seqs(events)).toEqual(from(1, events.length));
      expect(new Set(events.map((event) => event.session_id)).size).toBe(1);
    }
  });

  it('a second one joins the run under way: its words reach the model, and both see the commit', async () => {
    // Before its fourth step the model looks around, each time for something else, until it has read what the second one says.
    let [step, looks] = [0, 0];
    const s = await scene((request) => {
      if (step === 3 && !JSON.stringify(request.body).includes('Mind the message'))
        return {
          ...calls({ tool: 'search.glob', input: { pattern: `**/*${++looks}*` } }),
          beforeMs: 1000,
        };
      step += 1;
      return STRAIGHT[step - 1] ?? turn({ text: 'Done.' });
    });
    const first = s.start(['-p', 'Add error handling']);
    first.child.stdin.end();
    await first.until((event) => event.type === 'state.changed' && event.to === 'code_writing');
    const second = s.start(['-c', '-p', 'Mind the message']);
    second.child.stdin.end();
    const [one, two] = await Promise.all([first.exit, second.exit]);
    expect([one.code, two.code]).toEqual([0, 0]);
    for (const { events } of [first, second]) expect(events.at(-1)).toMatchObject({ status: 'committed' });
    expect(commitsOf(s)).toBe(2);
  });
});
