import { render } from 'ink';
import { App } from '../../tui/components/app.tsx';
import type { AppProps } from '../../tui/components/app.tsx';
import { writeLastLines } from './last-lines.ts';

export interface Screen {
  /** Takes the live region away, writes the last lines and gives the terminal back; the scrollback stays. */
  close(lastLines: string, interrupted: boolean): Promise<void>;
}

/** Draws in this process's terminal, at most 30 times a second, on its ordinary screen. */
export function mountScreen(props: AppProps): Screen {
  const { clear, unmount, waitUntilExit, waitUntilRenderFlush } = render(<App {...props} />, {
    exitOnCtrlC: false,
    maxFps: 30,
    // That there is a terminal is known; CI=true does not make it none.
    interactive: true,
    alternateScreen: false,
    // Only the rows that changed are written, which is quieter over a slow line.
    incrementalRendering: true,
  });
  return {
    async close(lastLines, interrupted) {
      await waitUntilRenderFlush();
      clear();
      const closed = waitUntilExit().then(() => lastLines);
      unmount();
      // Ink ends raw mode in a microtask that it has queued by now.
      await Promise.resolve();
      if (interrupted) await writeLastLines(closed, process.stdin, (text) => process.stdout.write(text));
      else process.stdout.write(await closed);
    },
  };
}
