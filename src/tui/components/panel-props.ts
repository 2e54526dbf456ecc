import type { KeyAction } from '../keymap/key-action.ts';
import type { LiveFrame } from '../live/live-frame.ts';
import type { Size } from '../store/live-rows.ts';

/** What every panel is given. */
export interface PanelProps {
  readonly size: Size;
  /** A review waits. */
  readonly waits: boolean;
  /** Registers the panel's key listener; only the newest listener gets keys. */
  readonly listen: (onKey: (action: KeyAction) => void) => void;
  readonly onKey: (action: KeyAction) => void;
  readonly onFrame?: ((frame: LiveFrame) => void) | undefined;
}
