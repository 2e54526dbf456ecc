import { nearestWord } from '../../../lib/text/nearest-word.ts';

import { TOOLS } from '../../tools/registry.ts';

/** Syscalls that the kernel requests, in addition to the tools of the model. */
const KERNEL_SYSCALLS = [
  'ai.generate',
  'container.run',
  'plugin.install',
  'policy.update',
  'session.message',
  'session.set_mode',
];

/** The syscalls of the kernel and the shipped tools. Plugins may add others, so an unknown name is only a warning. */
export const KNOWN_SYSCALLS: readonly string[] = [...KERNEL_SYSCALLS, ...TOOLS.names].sort();

/** A warning about a name that only a plugin could use; null for a known name. */
export function unknownSyscall(syscall: string): string | null {
  if (KNOWN_SYSCALLS.includes(syscall)) return null;
  const nearest = nearestWord(syscall, KNOWN_SYSCALLS, 2);
  const hint = nearest === null ? 'no shipped tool uses it' : `did you mean "${nearest}"?`;
  return `unknown syscall "${syscall}": ${hint}`;
}
