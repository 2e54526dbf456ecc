import { nearestWord } from '../../../lib/text/nearest-word.ts';

import { TOOLS } from '../../tools/registry.ts';

/** What the kernel asks policy beside the tools of the model. */
const KERNEL_SYSCALLS = [
  'ai.generate',
  'container.run',
  'plugin.install',
  'policy.update',
  'session.message',
  'session.set_mode',
];

/** What the kernel and the shipped tools ask for. Plugins may add to it, so a name that is missing here is only worth a warning. */
export const KNOWN_SYSCALLS: readonly string[] = [...KERNEL_SYSCALLS, ...TOOLS.names].sort();

/** A warning about a name that only a plugin could ask for; null for the others. */
export function unknownSyscall(syscall: string): string | null {
  if (KNOWN_SYSCALLS.includes(syscall)) return null;
  const nearest = nearestWord(syscall, KNOWN_SYSCALLS, 2);
  const hint = nearest === null ? 'no shipped tool uses it' : `did you mean "${nearest}"?`;
  return `unknown syscall "${syscall}": ${hint}`;
}
