import { firstText } from '../../../lib/text/first-last.ts';
import type { PlainCheck } from '../plain-command.ts';

/** A directory of the project in which checks are looked for. */
export interface CheckedDirectory {
  /**
   * Returns the text of a file in the directory; '' if it is missing or cannot be read. Only names in `reads` have a
   * text.
   */
  text(name: string): string;
  /** Environment of the checks. `PATH` has the programs that the project has installed, then those of the system. */
  readonly env: PlainCheck['env'];
  /** Absolute path of the project inside the sandbox. */
  readonly projectRoot: string;
  /** The image of the tests. */
  readonly image: PlainCheck['image'];
}

/** One way in which a project defines checks of its sources. Pure. */
export interface CheckSource {
  /** Files that it reads, relative to the directory. */
  readonly reads: readonly string[];
  find(directory: CheckedDirectory): readonly PlainCheck[];
}

/** The exit code of a shell if a program is missing. Such a check has no result. */
export const NOT_INSTALLED = 127;

/**
 * Returns a check that runs one program. If the program is not installed, the check prints its name and ends with
 * `NOT_INSTALLED`.
 */
export function programCheck(
  { env, image }: CheckedDirectory,
  words: string,
  { script = words, needs = firstText(words.split(' ')) }: { readonly script?: string; readonly needs?: string } = {},
): PlainCheck {
  const guard = `command -v ${needs} >/dev/null 2>&1 || { echo '${needs} is not installed in the project'; exit ${NOT_INSTALLED}; }`;
  return { words, script: `${guard}; ${script}`, env, image };
}
