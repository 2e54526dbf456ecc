import { KNOWN_SYSCALLS, nearestSyscall } from '../../../kernel/policy/document/known-syscalls.ts';

/** The warning that `config policy check` gives for a rule about this syscall, if it is one that only a plugin could ask for. */
export function unknownSyscall(syscall: string): readonly string[] {
  if (KNOWN_SYSCALLS.includes(syscall)) return [];
  const nearest = nearestSyscall(syscall);
  const hint = nearest === null ? 'no shipped tool asks for it' : `did you mean "${nearest}"?`;
  return [`unknown syscall "${syscall}": ${hint}`];
}
