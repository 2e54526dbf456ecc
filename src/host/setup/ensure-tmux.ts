import { type Consent, isGiven } from './consent.ts';
import { type Machine, asRoot } from './machine.ts';

/**
 * tmux, which the tests in a real terminal drive; nothing else needs it. Installed from the system's own packages with consent. Without it set-up
 * goes on, and says what those tests will then say themselves.
 */
export async function ensureTmux(
  machine: Machine,
  consent: Consent,
  progress: (line: string) => void,
): Promise<'ready' | 'missing'> {
  if (machine.has('tmux')) return 'ready';
  const install = asRoot(machine, ['apt-get', 'install', '-y', '-q', '--no-install-recommends', 'tmux']);
  const update = asRoot(machine, ['apt-get', 'update', '-q']);
  const possible = machine.has('apt-get') && install !== undefined && update !== undefined;
  if (possible && (await isGiven(consent, 'The tests in a real terminal need tmux. Install it with apt-get?'))) {
    progress('installing tmux for the tests in a real terminal, from the package sources of this system');
    await machine.run(update);
    // A stale index can still be good enough; what follows tells.
    if ((await machine.run(install)) === 0) return 'ready';
  }
  progress('there is no tmux: the tests in a real terminal will fail. Install it (Debian: apt-get install tmux)');
  return 'missing';
}
