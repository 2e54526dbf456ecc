/** Reads a file of notes by its path in the project; null if it does not exist or policy hides it. */
export type ReadNote = (path: string) => Promise<string | null>;

/** Bytes that are left, and paths that were already read: each file is used once. */
export interface NoteBudget {
  left: number;
  readonly taken: Set<string>;
}

const MAX_DEPTH = 3;
const IMPORT = /^\s*(?:[-*]\s+)?@(?:import\s+)?([^\s@]+)\s*$/;
const FENCE = /^\s*(```|~~~)/;

/**
 * One file of notes with its imports. A line `@path` imports a file, relative to the importing file and within the
 * project. Imports that do not fit are named.
 */
export async function noteOf(path: string, read: ReadNote, budget: NoteBudget, depth = 0): Promise<string | null> {
  if (budget.taken.has(path)) return null;
  budget.taken.add(path);
  const text = await read(path);
  if (text === null) return null;
  const own = Buffer.from(text);
  if (budget.left <= 0) return `# ${path}\n(left out: no room; fs.read shows it)`;
  const kept = own.subarray(0, budget.left).toString('utf8');
  budget.left -= own.length;
  const missing = Math.max(0, -budget.left);
  const imported: string[] = [];
  if (depth < MAX_DEPTH) {
    for (const target of importsOf(kept, path)) {
      const note = await noteOf(target, read, budget, depth + 1);
      if (note !== null) imported.push(note);
    }
  }
  const cut = missing === 0 ? '' : `\n(${missing} bytes left out; fs.read shows them)`;
  return [`# ${path}\n${kept}${cut}`, ...imported].join('\n\n');
}

/**
 * Project-relative paths of the imports of a text. A line in a block of code, or a path outside the project, is no
 * import. Pure.
 */
export function importsOf(text: string, from: string): string[] {
  const found: string[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const target = isCode ? undefined : IMPORT.exec(line)?.[1];
    const path = target === undefined ? null : withinProject(target, from);
    if (path !== null) found.push(path);
  }
  return found;
}

function withinProject(target: string, from: string): string | null {
  if (target.startsWith('/') || target.startsWith('~')) return null;
  const parts = from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
}
