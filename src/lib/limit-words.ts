import type { RunLimits } from '../contracts/session/session-protocol.ts';
import { groupDigits } from './text/group-digits.ts';

/** The limits of a run as text: `30 turns, 1h`; null if there are none. */
export function limitWords(limits: RunLimits | undefined): string | null {
  const { max_turns: turns, max_tokens: tokens, max_cost_usd: cost, max_duration_ms: duration } = limits ?? {};
  const words = [
    ...(turns === undefined ? [] : [`${turns} turns`]),
    ...(tokens === undefined ? [] : [`${groupDigits(tokens)} tokens`]),
    ...(cost === undefined ? [] : [`${cost} USD`]),
    ...(duration === undefined ? [] : [durationWords(duration)]),
  ];
  return words.length === 0 ? null : words.join(', ');
}

function durationWords(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  return ms % 60_000 === 0 ? `${ms / 60_000}m` : `${ms / 1000}s`;
}
