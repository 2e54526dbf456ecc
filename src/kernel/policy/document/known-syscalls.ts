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
  const nearest = nearestSyscall(syscall);
  const hint = nearest === null ? 'no shipped tool asks for it' : `did you mean "${nearest}"?`;
  return `unknown syscall "${syscall}": ${hint}`;
}

/** The known name that a misspelt one was most likely meant to be. */
function nearestSyscall(name: string): string | null {
  let best: string | null = null;
  let bestDistance = 3;
  for (const known of KNOWN_SYSCALLS) {
    if (Math.abs(known.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name, known);
    if (distance < bestDistance) {
      best = known;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein; a transposition counts two. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
