/**
 * The form in which protected names are compared: equal for names that some file system, now or after a checkout elsewhere, might treat as the same
 * file. It covers case (APFS, NTFS), compatibility forms and ignorable characters (HFS+), trailing dots and spaces and stream names (NTFS).
 */
export function foldPath(path: string): string {
  return path.split('/').map(foldSegment).join('/');
}

/** Letters, digits and the usual punctuation, not ending in a dot: only the case has to be folded. */
const CASE_ONLY = /^[A-Za-z0-9_\-.]*[A-Za-z0-9_-]$/;

export function foldSegment(segment: string): string {
  if (CASE_ONLY.test(segment)) return segment.toLowerCase();
  return segment
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/(?<=.):.*$/s, '')
    .replace(/(?<=[^. ])[. ]+$/, '');
}
