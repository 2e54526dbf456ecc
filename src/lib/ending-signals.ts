/**
 * Signals that end a process, and that Node can receive. Not SIGINT, which a program answers in its own way, not SIGPIPE, which Node ignores, and not
 * SIGUSR1 and SIGPROF, which belong to its debugger and profiler. Not all systems have all of them.
 */
export const ENDING_SIGNALS = [
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGABRT',
  'SIGALRM',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
  'SIGSYS',
  'SIGTRAP',
  'SIGUSR2',
  'SIGVTALRM',
  'SIGXCPU',
  'SIGXFSZ',
] as const satisfies readonly NodeJS.Signals[];

export interface SignalledProcess {
  readonly signals: Pick<NodeJS.Process, 'on' | 'off'>;
  /** Sends a signal to this process. */
  readonly raise: (signal: NodeJS.Signals) => void;
}

const THIS_PROCESS: SignalledProcess = { signals: process, raise: (signal) => process.kill(process.pid, signal) };

/**
 * Calls `restore` before one of the signals ends this process: Node restores the modes of the terminal at few of them. Returns a function that ends
 * this.
 */
export function beforeSignalledEnd(restore: () => void, { signals, raise } = THIS_PROCESS): () => void {
  const stop = (): void => {
    for (const signal of ENDING_SIGNALS) signals.off(signal, leave);
  };
  const leave = (signal: NodeJS.Signals): void => {
    stop();
    restore();
    raise(signal);
  };
  for (const signal of ENDING_SIGNALS) signals.on(signal, leave);
  return stop;
}
