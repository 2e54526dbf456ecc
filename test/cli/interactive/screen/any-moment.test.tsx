import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { Static, Text, render, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { ReflowGuard } from '../../../../src/cli/interactive/screen/reflow.ts';
import { withSteadyFrames } from '../../../../src/cli/interactive/screen/steady-frames.ts';
import { DrawnFrame } from '../../../../src/tui/components/drawn-frame.tsx';
import type { LiveFrame } from '../../../../src/tui/live/live-frame.ts';
import { own } from '../../../../src/tui/text/span.ts';
import { ROUNDS_TIMEOUT_MS, rounds, seededRandom } from '../../../seeded-random.ts';
import { ModelTerminal } from '../../../support/terminal/model-terminal.ts';
import type { TerminalSize } from '../../../support/terminal/model-terminal.ts';

interface Scene {
  readonly seed: number;
  /** The terminal changes its size within what is written too, every that many characters on average. */
  readonly everyCharacters: number | null;
  readonly narrowest: number;
  readonly mostRows: number;
  readonly isParked: boolean;
  /** When the program learns of a size: at once, some frames later, or when the terminal perhaps has another one again, as in tmux. */
  readonly reports: 'at-once' | 'late' | 'outdated';
}

interface Step {
  readonly said: readonly string[];
  /** How much of each row of the live region is filled, from 0 to 1. */
  readonly filled: readonly number[];
  readonly cursorRow: number;
}

const FRAMES = 30;
const FIRST: TerminalSize = { columns: 100, rows: 30 };
const HIGHEST = 50;
const BEFORE = ['before0', 'before1', 'before2'];
/** A link takes no cells. */
const LINK_START = '\x1b]8;;file://host/home/ada/shop/src/a.js#10\x1b\\';
const LINK_END = '\x1b]8;;\x1b\\';
const WORD = /(?:said|before)\d+/g;

function Session({ said, filled, cursorRow, onFrame }: Step & { onFrame: (frame: LiveFrame) => void }): ReactNode {
  const { columns } = useWindowSize();
  const rows = filled.map((part) => [own('live'.padEnd(Math.floor(columns * part), '.'))]);
  return (
    <>
      <Static items={[...said]} style={{ width: columns }}>
        {(text) => <Text key={text}>{text}</Text>}
      </Static>
      <DrawnFrame frame={{ rows, cursor: { row: cursorRow, column: 0 } }} onFrame={onFrame} />
    </>
  );
}

/** Draws a session with Ink in a model of a terminal that changes its size between frames and within them. */
async function play({ seed, everyCharacters, narrowest, mostRows, isParked, reports }: Scene) {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const terminal = new ModelTerminal(FIRST);
  // tmux alone scrolls blank rows below the region instead of dropping them, and tmux never reports at once.
  if (reports === 'at-once') terminal.write('\n'.repeat(HIGHEST));
  terminal.write(BEFORE.map((line) => `${line}\n`).join(''));
  const sizes = [FIRST];
  const resize = () => {
    const size = { columns: narrowest + below(160 - narrowest), rows: 15 + below(HIGHEST - 15) };
    terminal.resize(size);
    sizes.push(size);
  };
  const untilResize = () => (everyCharacters === null ? Infinity : 1 + below(2 * everyCharacters));
  let charactersToResize = untilResize();
  const stdout: EventEmitter & TerminalSize = Object.assign(new EventEmitter(), {
    ...FIRST,
    isTTY: true,
    // tmux says this late too.
    getWindowSize: () => (reports === 'outdated' ? [stdout.columns] : [sizes.at(-1)?.columns]),
    write(data: string, done?: () => void) {
      for (let at = 0; at < data.length;) {
        const end = at + charactersToResize;
        terminal.write(data.slice(at, end));
        charactersToResize -= Math.min(charactersToResize, data.length - at);
        at = end;
        if (charactersToResize > 0) continue;
        resize();
        charactersToResize = untilResize();
      }
      done?.();
      return true;
    },
  });
  const report = (size: TerminalSize | undefined) => void Object.assign(stdout, size).emit('resize');
  const stream = stdout as unknown as NodeJS.WriteStream;
  const guard = new ReflowGuard(stream, reports !== 'outdated');
  const said: string[] = [];
  const next = (): Step => {
    const filled = Array.from({ length: 1 + below(mostRows) }, random);
    return { said: [...said], filled, cursorRow: isParked ? 0 : below(filled.length) };
  };
  let step = next();
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => 0,
    unref: () => 0,
  });
  const ink = render(<Session {...step} onFrame={guard.drawn} />, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: withSteadyFrames(stream),
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  for (let frame = 0; frame < FRAMES; frame += 1) {
    await ink.waitUntilRenderFlush();
    if (below(3) === 0) {
      resize();
      if (reports === 'at-once') report(sizes.at(-1));
    }
    if (reports !== 'at-once' && below(3) === 0) report(sizes.at(reports === 'late' ? -1 : -1 - below(2)));
    for (let lines = below(4) * below(4); lines > 0; lines -= 1)
      said.push(`${LINK_START}said${said.length}${LINK_END} ${'-'.repeat(below(200))}`);
    step = next();
    ink.rerender(<Session {...step} onFrame={guard.drawn} />);
  }
  report(sizes.at(-1));
  await ink.waitUntilRenderFlush();
  const lines = terminal.unbroken();
  guard.close();
  ink.unmount();
  return {
    resizes: sizes.length - 1,
    words: [...BEFORE, ...said.map((_, index) => `said${index}`)],
    shown: lines.flatMap((line) => line.match(WORD) ?? []),
    leftOver: lines.filter((line) => line.startsWith('live')).length - step.filled.length,
  };
}

describe('a terminal that changes its size while a session is drawn', () => {
  const HOWS = [
    ['a parked cursor', { isParked: true, reports: 'outdated' }],
    ['a cursor within the region', { isParked: false, reports: 'late' }],
    ['a cursor within the region, in tmux', { isParked: false, reports: 'outdated' }],
  ] as const;

  it.each(HOWS)(
    'loses and doubles no line of the scrollback, whatever the moment: %s',
    async (_, how) => {
      let resizes = 0;
      for (let seed = 1; seed <= rounds(10, 2_000); seed += 1) {
        const played = await play({ seed, everyCharacters: 400, narrowest: 20, mostRows: 13, ...how });
        expect(played.shown, `seed ${seed}`).toEqual(played.words);
        resizes += played.resizes;
      }
      expect(resizes).toBeGreaterThan(400);
    },
    ROUNDS_TIMEOUT_MS,
  );

  it.each([
    ['a parked cursor', { isParked: true, reports: 'outdated' }],
    [
      'a cursor within the region, in a terminal that reports its size at once',
      { isParked: false, reports: 'at-once' },
    ],
  ] as const)(
    'keeps no row of the live region either, if it happens between two writes and the region fits: %s',
    async (_, how) => {
      for (let seed = 1; seed <= rounds(8, 2_000); seed += 1) {
        const played = await play({ seed, everyCharacters: null, narrowest: 60, mostRows: 4, ...how });
        expect({ shown: played.shown, leftOver: played.leftOver }, `seed ${seed}`).toEqual({
          shown: played.words,
          leftOver: 0,
        });
      }
    },
    ROUNDS_TIMEOUT_MS,
  );
});
