import { render } from 'ink';
import { App } from '../../tui/components/app.tsx';
import type { AppProps } from '../../tui/components/app.tsx';

export interface Screen {
  /** Takes the live region away and gives the terminal back; the scrollback stays. */
  close(): Promise<void>;
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
    async close() {
      await waitUntilRenderFlush();
      clear();
      unmount();
      await waitUntilExit();
    },
  };
}
