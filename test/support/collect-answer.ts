import type { ModelEvent } from '../../src/contracts/model/model.ts';

export interface CollectedAnswer {
  readonly text: string;
  readonly calls: readonly {
    readonly id: string;
    readonly tool: string;
    readonly arguments: string;
    readonly ended: boolean;
  }[];
  readonly usage: Extract<ModelEvent, { type: 'usage' }>['usage'] | null;
  readonly restarts: readonly Extract<ModelEvent, { type: 'restart' }>[];
  /** The events that end a request; there must be exactly one. */
  readonly ends: readonly Extract<ModelEvent, { type: 'done' | 'failed' }>[];
}

/** Reads the events of one request as the kernel does: `restart` forgets what came before it. */
export function collectAnswer(events: readonly ModelEvent[]): CollectedAnswer {
  const lastRestart = events.findLastIndex(({ type }) => type === 'restart');
  const current = events.slice(lastRestart + 1);
  const calls = current
    .filter((event) => event.type === 'call_start')
    .map((start) => {
      const own = current.filter((event) => 'index' in event && event.index === start.index);
      return {
        id: start.call_id,
        tool: start.tool,
        arguments: own.map((event) => (event.type === 'call_delta' ? event.arguments_delta : '')).join(''),
        ended: own.some(({ type }) => type === 'call_end'),
      };
    });
  return {
    text: current.map((event) => (event.type === 'text_delta' ? event.text : '')).join(''),
    calls,
    usage: current.find((event) => event.type === 'usage')?.usage ?? null,
    restarts: events.filter((event) => event.type === 'restart'),
    ends: events.filter((event) => event.type === 'done' || event.type === 'failed'),
  };
}
