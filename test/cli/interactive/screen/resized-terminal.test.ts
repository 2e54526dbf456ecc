import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ReflowGuard, isReflowKnown } from '../../../../src/cli/interactive/screen/reflow.ts';
import { withSteadyFrames } from '../../../../src/cli/interactive/screen/steady-frames.ts';
import { own } from '../../../../src/tui/text/span.ts';

function fakeTerminal(columns: number) {
  const written: string[] = [];
  const stdout: { columns: number } = Object.assign(new EventEmitter(), {
    columns,
    getWindowSize: () => [stdout.columns, 24],
    write: (data: string) => {
      written.push(data);
      return true;
    },
  });
  return { written, stdout: stdout as unknown as NodeJS.WriteStream };
}

const FRAME = { rows: [[own('x'.repeat(100))], [own('> ')]], cursor: { row: 1, column: 2 } };

describe('a terminal that becomes narrower', () => {
  it.each([
    ['and is known to wrap again: the cursor goes up by the rows that came into being', true, 40, ['\u001b[2A']],
    ['and is known to wrap again, where nothing was as wide: nothing', true, 100, []],
    ['and cuts off, or reports its size late: nothing', false, 40, []],
  ])('%s', (_, wraps, columns, bytes) => {
    const { written, stdout } = fakeTerminal(120);
    const guard = new ReflowGuard(stdout, wraps);
    guard.drawn(FRAME);
    stdout.columns = columns;
    stdout.emit('resize');
    expect(written).toEqual(bytes);
    guard.close();
    stdout.emit('resize');
    expect(written).toEqual(bytes);
  });

  it('is left to the program that has it meanwhile', () => {
    const { written, stdout } = fakeTerminal(120);
    const guard = new ReflowGuard(stdout, true);
    guard.drawn(FRAME);
    guard.setAway(true);
    stdout.columns = 40;
    stdout.emit('resize');
    expect(written).toEqual([]);
    guard.setAway(false);
    guard.drawn(FRAME);
    stdout.columns = 20;
    stdout.emit('resize');
    expect(written).toEqual(['\u001b[4A']);
    guard.close();
  });

  it('has cut off a frame that was drawn before it reported its width: nothing', () => {
    const { written, stdout } = fakeTerminal(120);
    const guard = new ReflowGuard(stdout, true);
    stdout.getWindowSize = () => [40, 24];
    guard.drawn(FRAME);
    stdout.columns = 40;
    stdout.emit('resize');
    expect(written).toEqual([]);
    guard.close();
  });

  it('is known by its name alone to cut off, or to report its size late', () => {
    expect(isReflowKnown({ TERM: 'xterm-256color' })).toBe(true);
    for (const env of [{ TERM: 'linux' }, { XTERM_VERSION: 'XTerm(390)' }, { STY: '1.pts' }, { TMUX: '/tmp/s,1,0' }])
      expect(isReflowKnown(env)).toBe(false);
  });
});

describe('a frame in a terminal that has not said yet that it is smaller', () => {
  const ROWS_ERASED = '\u001b[?25l\u001b[1B\u001b[1G\u001b[2K\u001b[1A\u001b[2K\u001b[1A\u001b[2K\u001b[G';
  it.each([
    [
      'goes down by line feeds only, and erases each row that it passes',
      [`${ROWS_ERASED}a\nb\n\u001b[2A\u001b[5G\u001b[?25h`],
      '\u001b[?7l\u001b[?25l\u001b[1A\r\u001b[Ka\n\u001b[Kb\n\u001b[K\u001b[J\u001b[2A\u001b[5G\u001b[?25h\u001b[?7h',
    ],
    [
      'is drawn again when the cursor changes its row',
      ['a\nb\n\u001b[2A\u001b[5G\u001b[?25h', '\u001b[?25l\u001b[2B\u001b[1G\u001b[1A\u001b[3G\u001b[?25h'],
      '\u001b[?7l\u001b[?25l\r\u001b[Ka\n\u001b[Kb\n\u001b[K\u001b[J\u001b[1A\u001b[3G\u001b[?25h\u001b[?7h',
    ],
    [
      'is not drawn again when the cursor stays in its row',
      ['a\nb\n\u001b[1A\u001b[5G\u001b[?25h', '\u001b[?25l\u001b[1B\u001b[1G\u001b[1A\u001b[3G\u001b[?25h'],
      '\u001b[?7l\u001b[?25l\u001b[3G\u001b[?25h\u001b[?7h',
    ],
    [
      'does not show a cursor that is parked',
      ['a\n\u001b[1A\u001b[1G\u001b[?25h'],
      '\u001b[?7l\u001b[?25l\r\u001b[Ka\n\u001b[K\u001b[J\u001b[1A\u001b[1G\u001b[?7h',
    ],
    [
      'is not erased from the first cell of the screen on',
      ['\u001b[?25l\u001b[1A\u001b[1G\u001b[J'],
      '\u001b[?25l\u001b[1A\u001b[1G\u001b[K\u001b[2G\u001b[J\u001b[1G',
    ],
    [
      'is written at once with what goes to the scrollback before it',
      ['\u001b[?2026h', 'said\n', 'a\n\u001b[1A\u001b[1G\u001b[?25h', '\u001b[?2026l'],
      '\u001b[?2026hsaid\n\u001b[?7l\u001b[?25l\r\u001b[Ka\n\u001b[K\u001b[J\u001b[1A\u001b[1G\u001b[?7h\u001b[?2026l',
    ],
  ])('%s', (_, drawn, last) => {
    const { written, stdout } = fakeTerminal(80);
    const terminal = withSteadyFrames(stdout);
    for (const data of drawn) terminal.write(data);
    expect(written.at(-1)).toBe(last);
  });

  it('is never as high as Ink believes the screen to be', () => {
    const { stdout } = fakeTerminal(80);
    expect(withSteadyFrames(Object.assign(stdout, { rows: 10 })).rows).toBeGreaterThan(100);
  });
});

it('rows of a frame are never wrapped, rows of the scrollback are', () => {
  const { written, stdout } = fakeTerminal(80);
  const terminal = withSteadyFrames(stdout);
  terminal.write('scrollback\n');
  terminal.write('frame\n\u001b[1A\u001b[5G\u001b[?25h');
  expect(written[0]).toBe('scrollback\n');
  expect(written[1]).toMatch(/^\u001b\[\?7l[^]*frame[^]*\u001b\[\?7h$/);
  expect(terminal.columns).toBe(80);
});
