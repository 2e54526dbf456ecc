/**
 * One entry of a root file system or of a build context. `path` is relative, `/`-separated, without a leading slash or `..`; `mode` contains
 * permission bits only. Everything belongs to root and has one fixed time (unless given), so that equal content gives an equal archive.
 */
export type RootfsEntry =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'symlink'; readonly path: string; readonly target: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly mode: number;
      readonly content: FileContent;
      /** Kept only if something depends on it: Python ignores a compiled module whose source has another time. */
      readonly mtimeSeconds?: number | undefined;
    };

export type FileContent =
  { readonly kind: 'disk'; readonly path: string } | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

/** A file whose content is given as text. */
export function textFile(path: string, text: string, mode = 0o644): RootfsEntry {
  return { kind: 'file', path, mode, content: { kind: 'bytes', bytes: Buffer.from(text, 'utf8') } };
}

/** Byte order of the path: a directory always comes before its content, in every locale. */
export function sortEntries(entries: Iterable<RootfsEntry>): RootfsEntry[] {
  return [...entries].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}
