import { spawn } from 'node:child_process';

/**
 * Shows a text in the person's pager: `PAGER`, or `less`. Resolves to whether it was shown; false where there is no such program. The text is safe
 * for a terminal by now; the pager is run without a shell.
 */
export function page(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [program = 'less', ...args] = (env['PAGER'] ?? '').split(' ').filter((word) => word !== '');
  return new Promise((resolve) => {
    // Colours as they are, no clearing of the screen, and an end where the text fits after all.
    const pager = spawn(program, args, {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...env, LESS: env['LESS'] ?? 'FRX', LESSSECURE: '1' },
    });
    pager.on('error', () => resolve(false));
    pager.on('close', () => resolve(true));
    // Whoever has seen enough ends the pager before the end of the text.
    pager.stdin.on('error', () => undefined);
    pager.stdin.end(text);
  });
}
