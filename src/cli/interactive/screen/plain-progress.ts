import { formatElapsed } from '../../../tui/store/format-amount.ts';
import type { ViewState } from '../../../tui/store/view-state.ts';

const EVERY_MS = 30_000;

/** Progress of long steps, for a terminal in which nothing is redrawn: each step of a start or a restart, and every half minute of a test run. */
export class PlainProgress {
  #step: string | null = null;
  /** The number of reported half minutes of each call. */
  readonly #reported = new Map<string, number>();

  lines({ kernel, tools }: ViewState, nowMs: number): readonly string[] {
    const lines: string[] = [];
    const step = kernel.kind === 'ready' ? null : kernel.step;
    // The first step is implied by the start.
    if (step !== null && step !== this.#step && this.#step !== null) lines.push(step);
    this.#step = step ?? this.#step;
    for (const { callId, tool, sinceMs, progress, counted } of tools) {
      const elapsedMs = Math.max(0, nowMs - sinceMs);
      const half = Math.floor(elapsedMs / EVERY_MS);
      if (progress === null || half === this.#reported.get(callId)) continue;
      this.#reported.set(callId, half);
      lines.push(`${tool}: ${formatElapsed(elapsedMs)} ${progress}${counted === null ? '' : `, ${counted}`}`);
    }
    return lines;
  }
}
