import type { Diff, DiffFile } from '../diff/read-diff.ts';

/** A file of a review that a person has accepted. Any other change of the file counts as new. */
export interface AcceptedFile {
  readonly path: string;
  readonly change: string;
}

/** `accepted` with these files of a diff added. */
export function withAccepted(accepted: readonly AcceptedFile[], { files }: Diff, paths: readonly string[]) {
  const added = files.filter(({ path }) => paths.includes(path));
  const others = accepted.filter(({ path }) => !paths.includes(path));
  return [...others, ...added.map((file): AcceptedFile => ({ path: file.path, change: changeOf(file) }))];
}

/** Paths of a diff whose change was accepted. */
export function acceptedIn(accepted: readonly AcceptedFile[], { files }: Diff): ReadonlySet<string> {
  const changes = new Map(accepted.map(({ path, change }) => [path, change]));
  return new Set(files.filter((file) => changes.get(file.path) === changeOf(file)).map(({ path }) => path));
}

function changeOf({ hunks, remarks }: DiffFile): string {
  return JSON.stringify([hunks, remarks]);
}
