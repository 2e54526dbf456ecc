import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ReflowGuard, wrapsAgain } from '../../../../src/cli/interactive/screen/reflow.ts';
import { withSteadyFrames } from '../../../../src/cli/interactive/screen/steady-frames.ts';
import { own } from '../../../../src/tui/text/span.ts';

function fakeTerminal(columns: number) {
  const written: string[] = [];
  const stdout = Object.assign(new EventEmitter(), {
    columns,
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
    ['and wraps again: the cursor goes up by the rows that came into being', true, 40, ['\u001b[2A']],
    ['and wraps again, where nothing was as wide: nothing', true, 100, []],
    ['and cuts off: nothing', false, 40, []],
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

  it('is known to cut off by its name alone', () => {
    expect(wrapsAgain({ TERM: 'xterm-256color' })).toBe(true);
    for (const env of [{ TERM: 'linux' }, { XTERM_VERSION: 'XTerm(390)' }, { STY: '1.pts' }])
      expect(wrapsAgain(env)).toBe(false);
  });
});

describe('a frame in a terminal that has not said yet that it is smaller', () => {
  it.each([
    [
      'makes the rows below the cursor anew before the cursor goes there',
      '\u001b[?25l\u001b[2B\u001b[1Gframe\u001b[2A\u001b[5G\u001b[?25h',
      '\u001b[?7l\u001b[?25l\n\n\u001b[2A\u001b[2B\u001b[1Gframe\u001b[2A\u001b[5G\u001b[?25h\u001b[?7h',
    ],
    [
      'does not show a cursor that is parked',
      'frame\n\u001b[1A\u001b[1G\u001b[?25h',
      '\u001b[?7lframe\n\u001b[1A\u001b[1G\u001b[?7h',
    ],
    [
      'is not erased from the first cell of the screen on',
      '\u001b[?25l\u001b[1A\u001b[1G\u001b[J',
      '\u001b[?25l\u001b[1A\u001b[1G\u001b[K\u001b[2G\u001b[J\u001b[1G',
    ],
  ])('%s', (_, drawn, bytes) => {
    const { written, stdout } = fakeTerminal(80);
    withSteadyFrames(stdout).write(drawn);
    expect(written).toEqual([bytes]);
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
  terminal.write('frame\n\u001b[1A\u001b[?25h');
  expect(written).toEqual(['scrollback\n', '\u001b[?7lframe\n\u001b[1A\u001b[?25h\u001b[?7h']);
  expect(terminal.columns).toBe(80);
});
