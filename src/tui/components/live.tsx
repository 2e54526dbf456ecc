import { useAnimation } from 'ink';
import type { ReactNode } from 'react';
import { isMoving, liveFrame } from '../live/live-frame.ts';
import type { LiveFrame } from '../live/live-frame.ts';
import type { Size } from '../store/live-rows.ts';
import type { ViewState } from '../store/view-state.ts';
import { DrawnFrame } from './drawn-frame.tsx';

interface LiveProps {
  readonly view: ViewState;
  readonly size: Size;
  readonly nowMs: () => number;
  /** Called with what has been drawn. */
  readonly onFrame?: (frame: LiveFrame) => void;
}

const TURN_MS = 120;

/** What is drawn again and again at the bottom of the screen. */
export function Live({ view, size, nowMs, onFrame }: LiveProps): ReactNode {
  const { frame: tick } = useAnimation({ interval: TURN_MS, isActive: isMoving(view) });
  const frame = liveFrame(view, size, { tick, nowMs: nowMs() });
  return <DrawnFrame frame={frame} onFrame={onFrame} />;
}
