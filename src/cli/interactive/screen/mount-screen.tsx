import { render } from 'ink';
import { App } from '../../../tui/components/app.tsx';
import type { AppProps, LendTerminal } from '../../../tui/components/app.tsx';
import type { ThemeName } from '../../../tui/text/theme.ts';
import { LazyColours } from '../../../tui/code/lazy-colours.ts';
import { askForBackground } from './background-query.ts';
import type { BackgroundQuestion } from './background-query.ts';
import type { LinkSetting } from '../../output/link-setting.ts';
import { filePlace } from './file-place.ts';
import { hasColours, terminalPainter } from '../../output/terminal-painter.ts';
import { ReflowGuard, isReflowKnown } from './reflow.ts';
import { watchForNotices } from './terminal-notices.ts';
import { typedInput } from './typed-input.ts';
import { withSteadyFrames } from './steady-frames.ts';
import { writeLastLines } from './last-lines.ts';
import { endInBackground } from './end-in-background.ts';
import { lendTerminal } from './lend-terminal.ts';
import { isInFront, placeOfProcess } from './stop-process.ts';
import { TerminalModes } from './terminal-modes.ts';
import type { NoticeSetting } from './notice-setting.ts';
import type { Lend } from './lend-terminal.ts';

type ScreenParts = Omit<AppProps, 'look' | 'onLend' | 'onSuspend' | 'terminalRows'> & {
  /** Ctrl-Z: resolves when the process continues in front. */
  readonly stop: () => Promise<void>;
  /** Whether the theme follows the terminal's background, because the user has configured none. */
  readonly followsBackground: boolean;
  readonly isStill: boolean;
  readonly notices: NoticeSetting;
  readonly links: LinkSetting;
  /** Absolute. */
  readonly projectRoot: string;
};

export interface Screen {
  /** Gives the terminal to another program until the promise resolves; null if lines are written and not drawn. */
  readonly lend: Lend | null;
  /** Removes the live region, writes the last lines and releases the terminal; the scrollback stays. */
  close(lastLines: string, interrupted: boolean): Promise<void>;
}

/** Draws in this process's terminal, at most 30 times a second, on its normal screen. */
export function mountScreen(parts: ScreenParts): Screen {
  const colours = new LazyColours();
  const lender = Promise.withResolvers<LendTerminal>();
  const files = filePlace(parts.projectRoot, process.env);
  const look = (theme: ThemeName) => ({
    painter: terminalPainter(process.env, theme, parts.links),
    files,
    colours,
    lends: true,
    isStill: parts.isStill,
  });
  const background = askForBackground(
    { store: parts.store, asks: parts.followsBackground && hasColours(process.env) },
    process.env,
  );
  const write = (bytes: string) => process.stdout.write(bytes);
  const modes = new TerminalModes(write, process.env);
  // Also after an error that nobody has caught.
  const endModes = () => modes.end();
  process.once('exit', endModes);
  const reflow = new ReflowGuard(process.stdout, isReflowKnown(process.env));
  const { store, nowMs } = parts;
  const lend = lendTerminal(
    lender.promise.then((suspend) => ({
      suspend: (use) => suspend(() => modes.without(use)),
      store,
      input: process.stdin,
      reflow,
    })),
  );
  const { clear, unmount, waitUntilExit, waitUntilRenderFlush } = render(
    <App
      {...parts}
      onSuspend={() => void lend(parts.stop)}
      terminalRows={() => process.stdout.rows}
      look={look}
      onFrame={reflow.drawn}
      onLend={lender.resolve}
    />,
    {
      stdin: inputOf(modes, background, nowMs),
      stdout: withSteadyFrames(process.stdout),
      exitOnCtrlC: false,
      maxFps: 30,
      // It is known that there is a terminal, even with CI=true.
      interactive: true,
      alternateScreen: false,
      // `withSteadyFrames` needs whole frames.
      incrementalRendering: false,
    },
  );
  const stopNotices = watchForNotices({
    store,
    nowMs,
    write,
    env: process.env,
    setting: parts.notices,
    place: () => modes.place,
  });
  // After the first frame, so that text typed at once does not wait for it.
  void waitUntilRenderFlush().then(() => {
    background.ask(write);
    modes.begin();
    void colours.load();
  });
  return {
    lend,
    async close(lastLines, interrupted) {
      if (!isInFront(placeOfProcess(process.pid))) endInBackground(interrupted ? 'SIGINT' : 'SIGTERM');
      // First: what the terminal still says is read before the shell has it.
      modes.end();
      process.off('exit', endModes);
      await background.settled();
      await waitUntilRenderFlush();
      clear();
      const closed = waitUntilExit().then(() => lastLines);
      unmount();
      reflow.close();
      stopNotices();
      // Ink ends raw mode in a microtask that is already queued.
      await Promise.resolve();
      if (interrupted) await writeLastLines(closed, process.stdin, (text) => process.stdout.write(text));
      else process.stdout.write(await closed);
    },
  };
}

function inputOf(modes: TerminalModes, { reply }: BackgroundQuestion, nowMs: () => number): NodeJS.ReadStream {
  return typedInput(process.stdin, {
    nowMs,
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
    sendsEscape: () => modes.sendsEscape,
    take: (input) => reply.take(modes.receive(input)),
  });
}
