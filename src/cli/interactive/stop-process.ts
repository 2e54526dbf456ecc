/** Ctrl-Z: stops this process and those of its terminal job, as the shell would. Resolves when it goes on. */
export function stopProcess(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => resolve());
    process.kill(0, 'SIGTSTP');
  });
}
