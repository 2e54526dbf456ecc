import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';

/** The events of one type, in order. */
export function bodies<T extends EventBody['type']>(
  events: readonly FluffyEvent[],
  type: T,
): Extract<FluffyEvent, { type: T }>[] {
  return events.filter((event): event is Extract<FluffyEvent, { type: T }> => event.type === type);
}
