/**
 * For a process that is to end while the terminal belongs to another job. By the signal, because at any other end Node restores the modes that the
 * terminal had at the start: they would replace those of the other job, or the system would stop the process for that.
 */
export function endInBackground(signal: 'SIGINT' | 'SIGTERM'): void {
  // Its default action.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
