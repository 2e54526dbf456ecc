/**
 * Arguments, options and command line of this process become those of somebody who starts the runner by hand: code under test reads nothing of ours there.
 * The kernel's view of the command line (`/proc/PID/cmdline`) is what `process.title` says.
 */
export function lookOrdinary(options: readonly string[], args: readonly string[]): void {
  process.argv.splice(1, process.argv.length, ...args);
  process.execArgv.splice(0, process.execArgv.length, ...options);
  process.title = ['node', ...options, ...args].join(' ');
}
