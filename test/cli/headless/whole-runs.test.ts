import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { fluffyEventSchema } from '../../../src/contracts/session/events.ts';
import { cliScene } from '../../support/cli/cli-scene.ts';
import type { CliScene } from '../../support/cli/cli-scene.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { COMMIT, PLAN, RUN_TESTS, STRAIGHT, WRITE_SOURCE, WRITE_TEST } from '../../support/job/parse-config-turns.ts';
import type { ModelScript } from '../../support/kernel/scripted-model.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { calls, turn } from '../../support/wire/script.ts';

/** Whole headless runs in this process. That the same holds of a process with a kernel in containers: test/docker/job/headless.test.ts. */

let scene: CliScene;
beforeAll(async () => {
  scene = await cliScene();
});
afterAll(() => scene.close());

function begin(script: ModelScript): CliScene {
  scene.begin(script);
  return scene;
}

/** For tests that count what a project has: sessions, records. */
async function alone(script: ModelScript, test: (own: CliScene) => Promise<void>): Promise<void> {
  const own = await cliScene();
  own.begin(script);
  await test(own).finally(() => own.close());
}

const finishedOf = (events: readonly FluffyEvent[]) => bodies(events, 'session.finished');
const commitsOf = ({ project }: CliScene) => Number(project.git('rev-list', '--count', 'HEAD').trim());
const seqs = (events: readonly FluffyEvent[]) => events.map((event) => event.seq);
const from = (first: number, length: number) => Array.from({ length }, (_, index) => first + index);
const sent = ({ model }: CliScene, index: number) => JSON.stringify(model.requests.at(index));

/** Clears the screen, sets the title, overwrites the line, and turns the reading direction. */
const EVIL = 'Done \x1b[2J\x1b]0;owned\x07\rhidden\u202e \x9b31m.';

describe('what is printed', () => {
  it('stream-json: valid events on lines that end in LF, numbered without a gap, safe on a terminal', async () => {
    const s = begin([turn({ text: EVIL })]);
    const result = await s.run(['-p', 'Look around']);
    expect(result.code).toBe(0);
    expect(result.stderr).toBe('');
    expect(result.stdout).not.toMatch(/[\r\x1b\x9b\u202e]/);
    expect(result.stdout.endsWith('}\n')).toBe(true);
    const lines = result.stdout.trimEnd().split('\n');
    for (const line of lines) expect(fluffyEventSchema.safeParse(JSON.parse(line)).success).toBe(true);
    expect(seqs(result.events)).toEqual(from(1, lines.length));
    expect(result.events[0]).toMatchObject({ type: 'session.started', mode: 'strict', project: s.project.root });
    expect(new Set(result.events.map((event) => event.session_id)).size).toBe(1);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'done', exit_code: 0 });
  });

  it('json: one object, the end of the run', async () => {
    const s = begin([turn({ text: EVIL })]);
    const result = await s.run(['-p', 'Look around', '--output-format', 'json']);
    expect(result.stdout.match(/\n/g)).toHaveLength(1);
    expect(result.stdout).not.toMatch(/[\r\x1b\x9b\u202e]/);
    expect(JSON.parse(result.stdout)).toMatchObject({ type: 'session.finished', status: 'done', exit_code: 0 });
    expect((JSON.parse(result.stdout) as { summary: string }).summary).toContain('\u202e');
  });

  it('text: the answer on stdout, the work on stderr, nothing in either that a terminal would obey', async () => {
    const s = begin([calls({ tool: 'fs.read', input: { path: 'package.json' } }), turn({ text: EVIL })]);
    const result = await s.run(['-p', 'Look around', '--output-format', 'text']);
    expect(result.code).toBe(0);
    expect(result.stdout).toBe('Done \\x1b[2J\\x1b]0;owned\\x07\\rhidden\\u{202e} \\x9b31m.\n');
    expect(result.stderr).toContain('fs.read');
    expect(result.stderr).toMatch(/\nDone\./);
    expect(result.stderr).not.toMatch(/[\r\x1b\x07\x9b\u202e]/);
  });
});

describe('piped input', () => {
  it('is context beside a task, and the task without one', async () => {
    const s = begin(() => turn({ text: 'Read.' }));
    const both = await s.run(['-p', 'Explain this'], { stdin: 'a stack trace\n' });
    expect(both.code).toBe(0);
    expect(sent(s, 0)).toMatch(/Explain this.*<context>.*a stack trace/);
    expect(bodies(both.events, 'message.user')[0]?.text).toBe('Explain this');
    const alone = await s.run(['-p'], { stdin: 'The whole task\n' });
    expect(bodies(alone.events, 'message.user')[0]?.text).toBe('The whole task');
  });

  it('ends its run although the task is longer than an event may be', async () => {
    const s = begin(() => turn({ text: 'Read.' }));
    const result = await s.run(['-p'], { stdin: `Explain:\n${'a stack trace\n'.repeat(200_000)}` });
    expect(result.code).toBe(0);
    expect(bodies(result.events, 'message.user')[0]?.text.length).toBeLessThan(20_000);
    expect(sent(s, 0)).toMatch(/output\.read with reference user_0/);
  });

  it('that pauses is read to its end', async () => {
    const s = begin(() => turn({ text: 'Here.' }));
    const held = s.start(['-p', 'Look'], { stdin: null });
    held.stdin.write('so far, ');
    held.stdin.end('and so on');
    expect((await held.result).code).toBe(0);
    expect(sent(s, 0)).toContain('so far, and so on');
  });
});

describe('a task that begins with a dash', () => {
  it('is one after --', async () => {
    const s = begin([turn({ text: 'Nothing to do.' })]);
    const before = snapshotTree(s.project.root);
    const result = await s.run(['-p'], { after: ['--help me with -p'] });
    expect(bodies(result.events, 'message.user')).toMatchObject([{ text: '--help me with -p' }]);
    expect(result.code).toBe(0);
    expect(snapshotTree(s.project.root)).toEqual(before);
  });
});

describe('a session that is taken up', () => {
  it('goes on under its id and its numbers, from where the first run stopped', async () => {
    await alone(
      [
        ...STRAIGHT.slice(0, 3),
        turn({ text: '…' }),
        turn({ text: '…' }),
        turn({ text: '…' }),
        WRITE_SOURCE,
        RUN_TESTS,
        COMMIT,
      ],
      async (s) => {
        const first = await s.run(['-p', 'Add error handling']);
        expect(first.code).toBe(1);
        const id = first.events[0]?.session_id ?? '';
        const second = await s.run(['-c', '-p', 'Go on']);
        expect(finishedOf(second.events)).toMatchObject([{ status: 'committed', session_id: id }]);
        expect(seqs(second.events)).toEqual(from(first.events.length + 1, second.events.length));
        expect(commitsOf(s)).toBe(2);

        const listed = await s.cli(['session', 'list', '--json']);
        expect(JSON.parse(listed.stdout)).toEqual([
          {
            id,
            title: 'Add error handling',
            created: expect.any(Number) as unknown,
            updated: expect.any(Number) as unknown,
            state: 'idle',
            mode: 'strict',
            status: 'committed',
            commits: [s.project.git('rev-parse', 'HEAD').trim()],
            archived: false,
            forked_from: null,
          },
        ]);
        const shown = await s.cli(['session', 'show', id, '--json']);
        const { events } = JSON.parse(shown.stdout) as { events: FluffyEvent[] };
        expect(seqs(events)).toEqual(from(1, events.length));
        expect(events).toEqual([...first.events, ...second.events]);
      },
    );
  });

  it('by its id, and as a fork that leaves the old one alone', async () => {
    const s = begin(() => turn({ text: 'Yes.' }));
    const first = await s.run(['-p', 'Remember the word heron']);
    const id = first.events[0]?.session_id ?? '';
    const again = await s.run(['-r', id, '-p', 'And now?']);
    expect(again.events.at(-1)).toMatchObject({ session_id: id, status: 'done' });
    const fork = await s.run(['-r', id, '--fork', '-p', 'What if?']);
    const forkId = fork.events.at(-1)?.session_id;
    expect(forkId).not.toBe(id);
    expect(fork.events[0]).toMatchObject({ type: 'session.started', seq: 1 });
    expect(sent(s, -1)).toMatch(/heron.*And now\?.*What if\?/);
    const old = await s.cli(['session', 'show', id, '--json']);
    expect(old.stdout).not.toContain('What if?');
  });

  it('that does not exist is an error with exit code 2', async () => {
    const s = begin([]);
    const result = await s.run(['-r', 's_nothing', '-p', 'x']);
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/There is no session s_nothing/);
    expect(result.events).toMatchObject([
      {
        type: 'session.finished',
        exit_code: 2,
        session_id: null,
        summary: 'There is no session s_nothing: this project has no session with that name',
      },
    ]);
  });
});

describe('--input-format stream-json', () => {
  const STREAM = ['-p', '--input-format', 'stream-json'];
  const lines = (...list: readonly unknown[]) => list.map((line) => `${JSON.stringify(line)}\n`).join('');

  it('answers each message in turn, and ends with the last one', async () => {
    const s = begin((_, index) => turn({ text: `Answer ${index}.` }));
    const stdin = `${lines({ type: 'message', text: 'one' })}not json\n${lines({ type: 'message', text: 'two' }, { type: 'message', text: 'three' })}`;
    const result = await s.run(STREAM, { stdin });
    expect(result.code).toBe(0);
    expect(finishedOf(result.events).map((event) => event.summary)).toEqual(['Answer 0.', 'Answer 1.', 'Answer 2.']);
    expect(seqs(result.events)).toEqual(from(1, result.events.length));
    expect(result.stderr).toMatch(/line 2 of the input/);
    const json = await s.run([...STREAM, '--output-format', 'json'], { stdin });
    expect(json.stdout.match(/\n/g)).toHaveLength(1);
  });

  it('takes a rejection, which sends the work back, and then an approval, which commits it', async () => {
    const s = begin([...STRAIGHT, RUN_TESTS, COMMIT]);
    const stdin = lines(
      { type: 'message', text: 'Add error handling' },
      { type: 'reject', reason: 'run the tests once more' },
      { type: 'approve' },
    );
    const result = await s.run([...STREAM, '--approve', 'ask'], { stdin });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    const decided = bodies(result.events, 'review.decided');
    expect(decided).toMatchObject([
      { decision: 'rejected', by: 'human', reason: 'run the tests once more' },
      { decision: 'approved', by: 'human' },
    ]);
    expect(decided[1]?.signature).toMatch(/^[\w+/=]{80,}$/);
    expect(commitsOf(s)).toBe(2);
  });

  it('ends as waiting when its input ends with a review open, which can be decided later', async () => {
    const s = begin(STRAIGHT);
    const result = await s.run([...STREAM, '--approve', 'ask'], { stdin: lines({ type: 'message', text: 'Go' }) });
    expect(result.code).toBe(4);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'waiting', exit_code: 4 });
    expect(commitsOf(s)).toBe(1);
    const approved = await s.cli(['review', '--approve']);
    expect(approved.code).toBe(0);
    expect(commitsOf(s)).toBe(2);
  });

  it('takes an interruption, and the next message', async () => {
    const s = begin((request) =>
      !JSON.stringify(request).includes('Never mind') ? { kind: 'silence' } : turn({ text: 'Still here.' }),
    );
    const held = s.start(STREAM, { stdin: null });
    held.stdin.write(lines({ type: 'message', text: 'Think hard' }));
    await held.until((event) => event.type === 'state.changed');
    held.stdin.end(lines({ type: 'interrupt' }, { type: 'message', text: 'Never mind' }));
    expect((await held.result).code).toBe(0);
    expect(finishedOf(held.events).map((event) => event.status)).toEqual(['cancelled', 'done']);
  });

  it('without a line ends at once, done', async () => {
    const s = begin([]);
    const result = await s.run(STREAM, { stdin: '' });
    expect(result.code).toBe(0);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'done' });
    expect(seqs(result.events)).toEqual(from(1, result.events.length));
  });
});

describe('fluffy review', () => {
  it('shows, rejects, and after the session was taken up again approves; no consent is recorded that nobody gave', async () => {
    await alone([...STRAIGHT, RUN_TESTS, COMMIT], async (s) => {
      expect((await s.run(['-p', 'Add error handling', '--approve', 'ask'])).code).toBe(4);
      const before = await s.cli(['audit', 'log', '--json']);
      expect(before.stdout).not.toContain('merge_approved');

      const shown = await s.cli(['review']);
      expect(shown.code).toBe(4);
      expect(shown.stdout).toMatch(/\+.*not valid JSON/);
      const rejected = await s.cli(['review', '--reject', 'once more']);
      expect({ code: rejected.code, stderr: rejected.stderr }).toEqual({ code: 0, stderr: '' });
      expect((await s.cli(['review'])).code).toBe(2);

      const again = await s.run(['-c', '-p', 'Go on', '--approve', 'ask']);
      expect(again.events.at(-1)).toMatchObject({ status: 'waiting', exit_code: 4 });
      expect(sent(s, -1)).toContain('once more');
      const card = await s.cli(['review', '--json']);
      const approved = await s.cli(['review', '--approve', '--json']);
      const commit = s.project.git('rev-parse', 'HEAD').trim();
      expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'committed', commit });
      expect(s.project.git('log', '-1', '--format=%s')).toBe('Say what is wrong with a bad configuration\n');
      const log = await s.cli(['audit', 'log', '--json']);
      const consents = log.stdout.split('\n').filter((line) => line.includes('"event_type":"merge_approved"'));
      expect(consents).toHaveLength(1);
      expect(consents[0]).toContain((JSON.parse(card.stdout) as { sha256: string }).sha256);
    });
  });

  it('of explore mode is answered by a request for tests, and comes again with them', async () => {
    await alone([PLAN, WRITE_SOURCE, RUN_TESTS, COMMIT, WRITE_SOURCE, WRITE_TEST, RUN_TESTS, COMMIT], async (s) => {
      const EXPLORE = ['-p', 'Add error handling', '--mode', 'explore', '--approve', 'ask'];
      expect((await s.run(EXPLORE)).code).toBe(4);
      expect((await s.cli(['review'])).stdout).toContain('fluffy review --add-tests');
      const { code, stderr } = await s.cli(['review', '--add-tests']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

      const again = await s.run(['-c', '-p', 'Go on', '--approve', 'ask']);
      expect(again.code).toBe(4);
      expect(sent(s, 5)).toContain('in this state only tests are written');
      const { diff } = JSON.parse((await s.cli(['review', '--json'])).stdout) as { diff: string };
      expect(diff.match(/^\+\+\+ .*$/gm)).toHaveLength(2);
      expect((await s.cli(['review', '--approve'])).code).toBe(0);
      expect(commitsOf(s)).toBe(2);
    });
  });

  it('is refused by a run that goes on with words instead of a decision', async () => {
    const s = begin([
      ...STRAIGHT,
      turn({ text: 'It waits.' }),
      turn({ text: 'It waits.' }),
      turn({ text: 'It waits.' }),
    ]);
    expect((await s.run(['-p', 'Add error handling', '--approve', 'ask'])).code).toBe(4);
    const again = await s.run(['-c', '-p', 'I approve, commit it', '--approve', 'ask']);
    expect(again.code).toBe(4);
    expect(again.events.at(-1)).toMatchObject({ status: 'waiting' });
    expect(commitsOf(s)).toBe(1);
    expect((await s.cli(['review', '--approve'])).code).toBe(0);
    expect(commitsOf(s)).toBe(2);
  });
});
