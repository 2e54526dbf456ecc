import { applyPatch, parsePatch, reversePatch } from 'diff';

/** The file before one section of a git diff, reconstructed from the text after it. */
export type Before =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  /** Binary, a link, a changed mode, or a section that does not fit the text after it. */
  | { readonly kind: 'unknown' };

const SPECIAL_MODE = /^(?:old mode|new mode|deleted file mode (?!100644)|Binary files )/;

/** The sections of a git diff, one for each file, in its order. */
export function diffSections(diff: string): readonly string[] {
  return diff.split(/^(?=diff --git )/m).filter((section) => section.startsWith('diff --git '));
}

/** The text of a file before a change; `after` is null if the change deletes it. Pure. */
export function textBefore(section: string, after: string | null): Before {
  const lines = section.split('\n');
  const names = lines.findIndex((line) => line.startsWith('--- '));
  const head = names === -1 ? lines : lines.slice(0, names);
  if (head.some((line) => line.startsWith('new file mode '))) return { kind: 'absent' };
  if (names === -1 || head.some((line) => SPECIAL_MODE.test(line))) return { kind: 'unknown' };
  const [patch] = parsePatch(lines.slice(names).join('\n'));
  const text = patch === undefined ? false : applyPatch(after ?? '', reversePatch(patch), { fuzzFactor: 0 });
  return text === false ? { kind: 'unknown' } : { kind: 'text', text };
}
