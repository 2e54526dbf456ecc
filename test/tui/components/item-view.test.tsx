import { renderToString } from 'ink';
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../../src/contracts/session/events.ts';
import { ItemView } from '../../../src/tui/components/item-view.tsx';
import { LookContext, PLAIN_LOOK } from '../../../src/tui/components/look.ts';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { safeLine } from '../../../src/tui/store/safe-text.ts';
import type { ViewState } from '../../../src/tui/store/view-state.ts';
import { FINISHED, freshView, REVIEW, STRICT_RUN, viewAfter } from '../event-stream.ts';

function draw(view: ViewState, columns: number): string {
  const items = view.items.map((item) => (
    <LookContext key={item.id} value={{ ...PLAIN_LOOK, columns }}>
      <ItemView item={item} />
    </LookContext>
  ));
  return `\n${items.map((item) => renderToString(item, { columns })).join('\n')}\n`.replace(/ +$/gm, '');
}

describe('the scrollback at 80 columns', () => {
  it('shows how long a call took from a second on, whole, and cuts what it is about', () => {
    const reads = (durationMs: number): EventBody[] =>
      ['a', 'b'].flatMap((name): EventBody[] => [
        { type: 'tool.started', call_id: name, tool: 'fs.read', input: { path: `src/${name.repeat(60)}.js` } },
        { type: 'tool.finished', call_id: name, tool: 'fs.read', ok: true, summary: '', duration_ms: durationMs },
      ]);
    expect(draw(viewAfter([...reads(700), FINISHED]), 80)).toMatch(/^ {2}✓ read 2: src\/a+\S*… {2}1\.4s$/m);
    expect(draw(viewAfter([...reads(100), FINISHED]), 80)).toMatch(/^ {2}✓ read 2: .*…$/m);
  });

  it('marks failures that no gate asked for', () => {
    const run = (summary: string): EventBody[] => [
      { type: 'tool.started', call_id: 'c1', tool: 'test.run', input: {} },
      { type: 'test.finished', call_id: 'c1', valid: true, outcome: 'failed', passed: 1, failed: 1, skipped: 0 },
      { type: 'tool.finished', call_id: 'c1', tool: 'test.run', ok: true, summary, duration_ms: 5 },
    ];
    expect(draw(viewAfter(run('1 failed')), 80)).toContain('✗ test.run');
    expect(draw(viewAfter(run('1 failed (red confirmed)')), 80)).toContain('✓ test.run');
  });

  it('shows an answer below the command', () => {
    const typed = reduce(freshView(), { kind: 'say', item: { kind: 'command', line: safeLine('/status') } });
    const answered = reduce(typed, { kind: 'say', item: { kind: 'answer', lines: [safeLine('mode strict')] } });
    expect(draw(answered, 80)).toBe('\n> /status\n  mode strict\n');
  });

  it.each([
    [
      'breaks the first line between two of its parts',
      `replay/${'recordings/'.repeat(4)}demo.jsonl`,
      [`replay/${'recordings/'.repeat(4)}demo.jsonl`, 'strict mode · / commands · @ files · ? keys'],
    ],
    ['names no model and mode before a session is chosen', '', ['/ commands · @ files · ? keys']],
  ])('%s', (_, model, rows) => {
    const { project, mode, state } = freshView();
    const item = { kind: 'header', version: '0.1.0', project, model: safeLine(model), mode, state } as const;
    const [, name, ...others] = draw(reduce(freshView(), { kind: 'say', item }), 70).split('\n');
    expect(name).toBe('fluffy 0.1.0  /home/ada/project');
    expect(others.filter((row) => row !== '')).toEqual(rows);
  });

  it('shows a strict run', () => {
    const { project, model, mode, state } = freshView();
    const begun = reduce(freshView(), {
      kind: 'say',
      item: { kind: 'header', version: '0.1.0', project, model, mode, state },
    });
    expect(draw(viewAfter([...STRICT_RUN, FINISHED], begun), 80)).toMatchInlineSnapshot(`
      "
      fluffy 0.1.0  /home/ada/project
      replay/demo.jsonl · strict mode · / commands · @ files · ? keys

      > Say what is wrong

        → planning  reading and planning; nothing can be written yet

        I will look first. Then I write

        ✓ fs.read src/a.js  2 lines
        ✓ plan.complete Shout  plan accepted
        → test_writing  tests first; the source opens once a new test has failed
        ✗ fs.write src/a.js
          tool_unavailable: fs.write on src/a.js is not open in state test_writing.
          /why explains it
        ✓ test.run test/a.test.js  (red confirmed)  1.7s
          tests 1 failed, 1 passed
          test/a.test.js
            ✗ says what is wrong
              expected 'TWO'
              but got 'two'
        → code_writing  the source is open, the tests are frozen
        ✓ fs.write src/a.js  +2 -1
            1   one
            2 - two
            2 + TWO
            3 + three

      Done. Commit 4f3c2d1a09, 2 files changed, 12.3s.
      "
    `);
  });

  it('shows by which rules a call was denied and why, and where more is told', () => {
    const reason =
      'The source is frozen today, and until the release is out nobody writes to it, however small the change';
    const denied: EventBody[] = [
      { type: 'tool.started', call_id: 'c1', tool: 'fs.write', input: { path: 'src/a.js', content: '' } },
      {
        type: 'policy.decision',
        call_id: 'c1',
        syscall: 'fs.write',
        target: 'src/a.js',
        decision: 'denied',
        rules: ['frozen', 'source'],
        decided_by: ['frozen'],
        reason,
      },
      {
        type: 'tool.finished',
        call_id: 'c1',
        tool: 'fs.write',
        ok: false,
        summary: '',
        duration_ms: 3,
        error: { code: 'policy_denied', message: `Policy denies fs.write: ${reason}`, retryable: false },
      },
    ];
    expect(draw(viewAfter(denied), 80)).toMatchInlineSnapshot(`
      "
        ✗ fs.write src/a.js
          policy_denied by frozen: The source is frozen today, and until the release
          is out nobody writes to it, however small the change  /why explains it
      "
    `);
    expect(draw(viewAfter(denied), 140)).toMatchInlineSnapshot(`
      "
        ✗ fs.write src/a.js
          policy_denied by frozen: The source is frozen today, and until the release is out nobody writes to it, however small the change
          /why explains it
      "
    `);
  });

  it.each([
    ['no rule allows it', 'policy_denied', true],
    ['the state keeps it shut', 'tool_unavailable', true],
    ['its path leads out', 'path_refused', true],
    ['its text is not there', 'edit_no_match', false],
    ['it took too long', 'timeout', false],
  ])('points to /why only where somebody said no: %s', (message, code, points) => {
    const failed: EventBody[] = [
      { type: 'tool.started', call_id: 'c1', tool: 'fs.edit', input: { path: 'src/a.js' } },
      {
        type: 'tool.finished',
        call_id: 'c1',
        tool: 'fs.edit',
        ok: false,
        summary: '',
        duration_ms: 3,
        error: { code, message, retryable: false },
      },
    ];
    const drawn = draw(viewAfter(failed), 80);
    expect(drawn).toContain(`${code}: ${message}`);
    expect(drawn.includes('/why explains it')).toBe(points);
  });

  it('shows a review with what is intended, the risk, the reasons, the whole change, and what each choice leads to', () => {
    expect(draw(viewAfter([REVIEW]), 80)).toMatchInlineSnapshot(`
      "
      ╭ Review of the commit · medium risk · 1 file, +2 -1
      │
      │ You are asked because
      │   1  Every change waits for a decision (--approve ask).
      │
      │ Message
      │   ┊  Say what is wrong
      │   ┊
      │   ┊  Fluffy-Mode: strict
      │
      │ +2 -1  src/a.js
      │   1   one
      │   2 - two
      │   2 + TWO
      │   3 + three
      │
      │ /approve       signs exactly this with your key, merges it into the project
      │                and commits it
      │ /approve FILE  takes the other files out; what is left is tested, proved and
      │                comes back as a review
      │ /edit FILE     opens the file in your editor; what you save is tested and
      │                comes back as a review
      ╰ /reject "why"  writes nothing; the model gets your reason and continues
      "
    `);
  });

  it('shows what a review of a single call is about', () => {
    const review: EventBody = {
      ...REVIEW,
      kind: 'policy',
      risk: 'high',
      message: 'shell.run',
      reasons: ['Commands need a human in debug mode.'],
      diff: '{\n  "command": ["ls"]\n}',
    };
    expect(draw(viewAfter([review]), 80)).toMatchInlineSnapshot(`
      "
      ╭ Review of a call that policy wants you to see · high risk
      │
      │ You are asked because
      │   1  Commands need a human in debug mode.
      │
      │ What
      │   ┊  shell.run
      │
      │   1   {
      │   2     "command": ["ls"]
      │   3   }
      │
      │ /approve       lets this one call run, in its sandbox
      ╰ /reject "why"  the call does not run; the model gets your reason
      "
    `);
  });

  it('warns of names in a reviewed change that read like others', () => {
    const diff = '--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+if (is\u0410dmin) {\n';
    expect(draw(viewAfter([{ ...REVIEW, diff }]), 80)).toContain(
      'Mixed alphabets: is\u0410dmin is spelled is\\u{410}dmin.',
    );
  });

  it('shows what nobody was asked about shortly', () => {
    const decided: EventBody = { type: 'review.decided', review_id: 'r_1', decision: 'approved', by: 'policy' };
    expect(draw(viewAfter([{ ...REVIEW, reasons: [] }, decided]), 80)).toMatchInlineSnapshot(`
      "
      Commit  Say what is wrong
              1 file, +2 -1

        ✓ Approved by policy: the tests pass, nothing sensitive changes, the diff is
          small
      "
    `);
  });

  it('shows a problem with its reason and its fix', () => {
    const view = reduce(freshView(), {
      kind: 'say',
      item: {
        kind: 'problem',
        what: safeLine('No kernel'),
        why: safeLine('Docker is not running'),
        fix: safeLine('fluffy doctor --fix'),
      },
    });
    expect(draw(view, 80)).toMatchInlineSnapshot(`
      "
      ✗ No kernel
        Reason: Docker is not running
        Fix: fluffy doctor --fix
      "
    `);
  });
});

describe('the scrollback at any width', () => {
  it.each([30, 80, 140])('shows every character of a reviewed change at %d columns', (columns) => {
    const long = `const everything = '${'abcdefghij'.repeat(40)}';`;
    const drawn = draw(viewAfter([{ ...REVIEW, diff: `--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+${long}\n` }]), columns);
    expect(drawn.replaceAll(/\n│ +↪ \+ |\n/g, '')).toContain(long);
    for (const row of drawn.split('\n')) expect(row.length).toBeLessThanOrEqual(columns);
  });
});
