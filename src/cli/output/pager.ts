import { spawn } from 'node:child_process';

/**
 * Shows a text in the person's pager: `PAGER`, or `less`. Resolves to whether it was shown; false if there is no such program. The text is already
 * safe for a terminal; the pager runs without a shell.
 */
export function page(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program = 'less', ...args] = (env['PAGER'] ?? '').split(' ').filter((word) => word !== '');
  return new Promise((resolve) => {
    // Passes colours through, does not clear the screen, and ends if the text fits.
    const pager = spawn(program, args, {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...env, LESS: env['LESS'] ?? 'FRX', LESSSECURE: '1' },
    });
    pager.on('error', () => resolve(false));
    pager.on('close', () => resolve(true));
    // A person may end the pager before the end of the text.
    pager.stdin.on('error', () => undefined);
    pager.stdin.end(text);
  });
}
