import type { PlainCheck } from '../plain-command.ts';

/** A directory of the project whose checks are looked for. */
export interface CheckedDirectory {
  /** Text of a file of it; '' for a file that is missing or cannot be read. Only names in `reads` have one. */
  text(name: string): string;
  /** Where what runs there finds programs: those that the project has installed, then the system's. */
  readonly env: PlainCheck['env'];
  /** Absolute path of the project inside the sandbox. */
  readonly projectRoot: string;
  /** The image that its tests run in. */
  readonly image: PlainCheck['image'];
}

/** One way in which a project says how its sources are checked. Pure. */
export interface CheckSource {
  /** Files that it looks at, relative to the directory. */
  readonly reads: readonly string[];
  find(directory: CheckedDirectory): readonly PlainCheck[];
}

/** What a shell ends with where a program is missing: such a check says nothing. */
export const NOT_INSTALLED = 127;

/** A check by one program: where it is not installed, `NOT_INSTALLED`, and its name is printed. */
export function programCheck(
  { env, image }: CheckedDirectory,
  words: string,
  { script = words, needs = words.split(' ')[0] ?? '' }: { readonly script?: string; readonly needs?: string } = {},
): PlainCheck {
  const guard = `command -v ${needs} >/dev/null 2>&1 || { echo '${needs} is not installed in the project'; exit ${NOT_INSTALLED}; }`;
  return { words, script: `${guard}; ${script}`, env, image };
}
