declare const mark: unique symbol;

/** The address of a file for a terminal: in printable ASCII, so that nothing ends the sequence around it. */
export type FileAddress = string & { readonly [mark]: true };

/** Where relative paths begin. */
export interface FilePlace {
  /** Absolute. */
  readonly root: string;
  /** The machine that has the files; '' in terminals that open only files without one. */
  readonly host: string;
  /** Whether a path relative to `root` is a file of the project that no link leads to. */
  readonly hasFile: (path: string) => boolean;
}

const MAX_LENGTH = 2000;

/**
 * The address of a file in the project; undefined for a path that leads out of it. Terminals and editors that know a line read it from the fragment:
 * kitty and VS Code as a number, others leave it out.
 */
export function fileAddress({ root, host, hasFile }: FilePlace, path: string, line?: string): FileAddress | undefined {
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.replace(/^\.\//, '');
  const parts = below.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || !hasFile(below)) return undefined;
  const encoded = `${root}/${below}`.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const address = `file://${host}${encoded}${line === undefined ? '' : `#${line}`}`;
  return address.length <= MAX_LENGTH && /^[!-~]+$/.test(address) ? (address as FileAddress) : undefined;
}
