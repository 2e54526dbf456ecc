import { useAnimation } from 'ink';
import { useContext } from 'react';
import type { ReactNode } from 'react';
import { isMoving, liveFrame } from '../live/live-frame.ts';
import type { LiveFrame } from '../live/live-frame.ts';
import type { Size } from '../store/live-rows.ts';
import type { ViewState } from '../store/view-state.ts';
import { DrawnFrame } from './drawn-frame.tsx';
import { LookContext } from './look.ts';

interface LiveProps {
  readonly view: ViewState;
  readonly size: Size;
  readonly nowMs: () => number;
  /** Called with what has been drawn. */
  readonly onFrame?: (frame: LiveFrame) => void;
}

const TURN_MS = 120;
const STILL_MS = 1000;

/** The part at the bottom of the screen that is redrawn. */
export function Live({ view, size, nowMs, onFrame }: LiveProps): ReactNode {
  const { isStill = false } = useContext(LookContext);
  const { frame: turns } = useAnimation({ interval: isStill ? STILL_MS : TURN_MS, isActive: isMoving(view) });
  const frame = liveFrame(view, size, { tick: isStill ? 0 : turns, nowMs: nowMs() });
  return <DrawnFrame frame={frame} onFrame={onFrame} />;
}
