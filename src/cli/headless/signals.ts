/** SIGINT and SIGTERM, delivered in order; a second SIGINT ends the process at once. */
export interface Signals {
  onSignal(handler: (signal: 'interrupt' | 'terminate') => void): void;
}

export function processSignals(): Signals {
  let handler: (signal: 'interrupt' | 'terminate') => void = () => undefined;
  let interrupted = 0;
  process.on('SIGINT', () => {
    interrupted += 1;
    if (interrupted > 1) process.exit(130);
    handler('interrupt');
  });
  process.on('SIGTERM', () => handler('terminate'));
  let early: 'interrupt' | 'terminate' | null = null;
  handler = (signal) => {
    early = signal;
  };
  return {
    onSignal: (next) => {
      handler = next;
      if (early !== null) next(early);
    },
  };
}
