import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  COMMIT,
  NEW_SOURCE,
  NEW_TEST,
  PLAN,
  RUN_TESTS,
  STRAIGHT,
  WRITE_TEST,
} from '../support/job/parse-config-turns.ts';
import { expectGentle } from '../support/terminal/expect-gentle.ts';
import { decide } from '../support/terminal/decide.ts';
import { replayedJob as scene } from '../support/terminal/replayed-job.ts';
import { calls, turn } from '../support/wire/script.ts';

const TASK = 'Say what is wrong';
const SMALL = { columns: 80, rows: 24 };
const LARGE = { columns: 140, rows: 40 };
/** `[mode] [state] >` with nothing typed behind it. */
const PROMPT = /^\[strict\] \[[a-z_]+\] >$/m;

const times = (text: string, pattern: RegExp) => text.match(new RegExp(pattern, 'gm'))?.length ?? 0;

describe('a task in a terminal of 80 x 24', () => {
  it('runs to Done., everything that ended once in the scrollback, the prompt below it', async () => {
    const { project, open } = scene(STRAIGHT);
    const terminal = open(SMALL, TASK);
    await terminal.shows(PROMPT);
    await terminal.shows(/^Done\. Commit [0-9a-f]{10}, 2 files changed, /m);
    const screen = await terminal.shows(/^\[strict\] \[idle\] >$/m);
    expect(screen.trimEnd().split('\n').at(-2)).toBe('[strict] [idle] >');

    const all = terminal.scrollback();
    for (const once of [
      /^fluffy \d/,
      /^> Say what is wrong$/,
      /✓ plan\.complete/,
      /✓ fs\.write test\/bad-config\.test\.js/,
      /✓ fs\.write src\/parse-config\.js {2}\+5 -1(?: {2}[\d.]+m?s)?$/,
      /^ {6}2 - {3}return JSON\.parse\(text\);$/,
      /^ {6}✗ says what is wrong/,
      /tests 2 passed$/,
      /✓ Approved by policy/,
      /^Done\./,
    ])
      expect({ pattern: once, times: times(all, once) }).toEqual({ pattern: once, times: 1 });
    for (const row of all.split('\n')) expect(row.length).toBeLessThanOrEqual(80);
    expectGentle(terminal.bytes());
    expect(project.git('log', '--format=%s')).toBe('Say what is wrong with a bad configuration\nBegin\n');
    expect(project.git('status', '--porcelain')).toBe('');

    terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.scrollback()).toMatch(/^Go on with: fluffy --resume s_\w+$/m);
  });

  it('takes what is typed before the kernel stands, and stays whole when the terminal changes its size', async () => {
    const { project, open } = scene([turn({ text: 'Forty-two.\n' }), turn({ text: 'Again, forty-two.' })]);
    const terminal = open(SMALL);
    await terminal.shows(/starting/);
    terminal.enter('What is the answer?');
    await terminal.shows(/queued: What is the answer/);
    terminal.resize(60, 20);
    await terminal.shows(/^ {2}Forty-two\.$/m);
    await terminal.shows(/^Done\. It took/m);
    terminal.resize(140, 40);
    terminal.enter('/nonsense');
    await terminal.shows(/There is no \/nonsense/);
    terminal.press('C-u');
    terminal.enter('Once more');
    await terminal.shows(/^ {2}Again, forty-two\.$/m);
    const prompts = () => times(terminal.scrollback(), /^\[strict\] \[idle\] >/);
    await expect.poll(prompts, { timeout: 90_000 }).toBe(1);
    const all = terminal.scrollback();
    expect(times(all, /^fluffy \d/)).toBe(1);
    expect(times(all, /^> What is the answer\?$/)).toBe(1);
    expectGentle(terminal.bytes());
    expect(project.git('log', '--format=%s')).toBe('Begin\n');
    terminal.enter('/quit');
    expect(await terminal.ended()).toBe(0);
  });
});

/** One column less than what shows both sides of a change beside each other, and breaks longer lines for it. */
const ONE_COLUMN = { columns: 139, rows: 40 } as const;

describe('a review in a terminal of 139 x 40', () => {
  it('waits for a person, shows the whole change, and commits what was approved', async () => {
    const { project, home, open } = scene(STRAIGHT);
    const terminal = open(ONE_COLUMN, '--approve', 'ask', TASK);
    await terminal.shows(/^╭ Review /m);
    await terminal.shows(/A review waits/);
    const card = terminal.scrollback();
    for (const line of [...NEW_SOURCE.trimEnd().split('\n'), ...NEW_TEST.trimEnd().split('\n')])
      expect(card).toContain(line);
    expect(card).toContain('Say what is wrong with a bad configuration');
    expect(card).toContain('Every change waits for a decision');
    terminal.enter('y');
    await terminal.shows(/queued: y$/m);
    // What a terminal reports by itself: focus, clicks, where the cursor is.
    terminal.report('\x1b[I\x1b[O\x1b[<0;5;5M\x1b[<0;5;5m\x1b[12;1R');
    terminal.press('Enter');
    expect(project.git('log', '--format=%s')).toBe('Begin\n');

    await decide(terminal, '/approve', /✓ Approved by you/);
    await terminal.shows(/^Done\. Commit /m);
    expect(project.git('log', '-1', '--format=%s')).toBe('Say what is wrong with a bad configuration\n');
    expect(readdirSync(join(home.env['HOME'] ?? '', '.config/fluffy/trust'))).toContain('approval.key');
    expectGentle(terminal.bytes());
  });

  it('goes back to the model with the reason, comes again, is approved in part, and takes an edit of the person', async () => {
    const better = NEW_SOURCE.replace('the configuration', 'this configuration');
    const best = NEW_SOURCE.replace('the configuration', 'your configuration');
    const { project, home, open } = scene([
      ...STRAIGHT,
      calls(
        { tool: 'fs.write', input: { path: 'src/parse-config.js', content: better } },
        { tool: 'fs.write', input: { path: 'notes.md', content: 'Nobody asked for it.\n' } },
      ),
      RUN_TESTS,
      COMMIT,
    ]);
    const draft = join(home.env['HOME'] ?? '', 'draft.js');
    writeFileSync(draft, best);
    // An editor that saves the draft in place of what it opens.
    Object.assign(home.env, { EDITOR: `cp ${draft}` });
    const terminal = open(LARGE, '--approve', 'ask', TASK);
    await terminal.shows(/A review waits/);
    await decide(terminal, '/reject "say: this configuration"', /✗ Rejected by you: say: this configuration/);
    await terminal.shows(/^╭ Review [\s\S]*^╭ Review /m);
    await terminal.shows(/A review waits/);
    expect(terminal.scrollback()).toContain('(`this configuration is not valid JSON');
    const part = '/approve src/parse-config.js test/bad-config.test.js';
    await decide(terminal, part, /✓ You approved src\/parse-config\.js/);
    await terminal.shows(/notes\.md: taken out and kept as a patch[^]*Files {2}✓ as you accepted it/);
    expect(project.git('log', '--format=%s')).toBe('Begin\n');
    await decide(terminal, '/edit src/parse-config.js', /✓ You edited src\/parse-config\.js; the tests run again/);
    await terminal.shows(/✓ You edited[^]*Files {2}✓ as you accepted it/);
    expect(terminal.scrollback()).toMatch(/✓ test +\+\d+ +-0 +test\/bad-config\.test\.js/);
    await terminal.shows(/A review waits/);
    expect(project.git('log', '--format=%s')).toBe('Begin\n');
    await decide(terminal, '/approve', /✓ Approved by you/);
    await terminal.shows(/^Done\. Commit /m);
    expect(project.git('show', 'HEAD:src/parse-config.js')).toBe(best);
    expect(project.git('rev-list', '--count', 'HEAD')).toBe('2\n');
    expect(project.git('ls-tree', '--name-only', 'HEAD')).not.toContain('notes.md');
  });
});

/** An editor with a screen of its own, which shows each key that it gets. `Q` saves them behind the text, and ends it. */
const KEY_EDITOR = `
const file = process.argv[2];
let keys = '';
process.stdin.setRawMode(true);
process.stdout.write('\\x1b[?1049h\\x1b[2J\\x1b[HEDITOR:');
process.stdin.on('data', (data) => {
  for (const key of String(data)) {
    if (key === 'Q') {
      require('fs').appendFileSync(file, keys);
      process.stdout.write('\\x1b[?1049l');
      process.stdin.setRawMode(false);
      process.exit(0);
    }
    keys += key;
    process.stdout.write(key);
  }
});`;

describe('an editor with a screen of its own', () => {
  it('gets every key, is not drawn over, and what happens meanwhile is there when it ends', async () => {
    const { project, home, open } = scene(STRAIGHT);
    const program = join(home.env['HOME'] ?? '', 'editor.cjs');
    writeFileSync(program, KEY_EDITOR);
    Object.assign(home.env, { EDITOR: `'${process.execPath}' ${program}` });
    const terminal = open(SMALL, '--approve', 'ask', TASK);
    await terminal.shows(/A review waits/);
    terminal.enter('/edit src/parse-config.js');
    await terminal.shows(/^EDITOR:|only just been drawn/m);
    if (!terminal.screen().startsWith('EDITOR:')) terminal.press('Enter');
    await terminal.shows(/^EDITOR:/m);
    for (const key of '// by hand: abcdefgh') terminal.type(key);
    await terminal.shows(/^EDITOR:\/\/ by hand: abcdefgh$/m);
    const cli = [resolve('dist/cli.mjs'), 'review', '--approve'];
    execFileSync(process.execPath, cli, { cwd: project.root, env: { ...home.env }, stdio: 'pipe' });
    expect(project.git('rev-list', '--count', 'HEAD')).toBe('2\n');
    expect(terminal.screen().trim()).toMatch(/^EDITOR:\/\/ by hand: abcdefgh/);
    terminal.type('Q');
    await terminal.shows(/your edit was not used/);
    const all = terminal.scrollback();
    for (const line of [/✓ Approved by you/, /^Done\. Commit /]) expect(times(all, line)).toBe(1);
    const [, kept = ''] = /kept in\s+(\/\S+(?:\n\s*\S+)*?\/parse-config\.js)/.exec(all) ?? [];
    expect(readFileSync(kept.replace(/\n\s*/g, ''), 'utf8')).toContain('// by hand: abcdefgh');
    expect(await terminal.shows(/^\[strict\] \[idle\] >$/m)).not.toContain('A review waits');
  });
});

describe('Ctrl-C', () => {
  it('once interrupts, twice leaves with the command to go on, and that goes on', async () => {
    const slow = turn({ text: 'Thinking about it' });
    const { project, open } = scene([PLAN, WRITE_TEST, { ...slow, delay_ms: 60_000 }]);
    const terminal = open(SMALL, TASK);
    await terminal.shows(/✓ fs\.write test\/bad-config/);
    await terminal.shows(/thinking/);
    terminal.press('C-c');
    await terminal.shows(/^Interrupted after [^]*\[strict\] \[test_writing\] >/m);
    // Impatient: Ctrl-C until it is over, with the last lines written in between.
    let over = false;
    const ended = terminal.ended().finally(() => (over = true));
    while (!over) {
      terminal.press('C-c');
      await nextTurn();
    }
    expect(await ended).toBe(130);
    const [, id] = /fluffy --resume (s_\w+)/.exec(terminal.scrollback()) ?? [];

    const again = open(LARGE, '--resume', id ?? '');
    await again.shows(/✓ fs\.write test\/bad-config/);
    await again.shows(/^Interrupted after /m);
    await again.shows(/\[strict\] \[test_writing\] >/);
    again.enter('/status');
    await again.shows(new RegExp(`session ${id}`));
    expect(times(again.scrollback(), /✓ fs\.write test\/bad-config/)).toBe(1);
    again.press('C-d');
    expect(await again.ended()).toBe(0);
    expect(project.git('status', '--porcelain')).toBe('');
  });
});

describe('a start that cannot work', () => {
  it('says so on an ordinary line and draws nothing', async () => {
    const { open } = scene([]);
    const terminal = open(SMALL, '--mode', 'wrong');
    expect(await terminal.ended()).toBe(2);
    expect(terminal.bytes()).not.toContain('\x1b[?2004h');
  });
});
