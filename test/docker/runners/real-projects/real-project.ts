/** A project with a bug that it has, and the change that fixes it. Where this machine has sources of others, the project is published. */
export interface RealProject {
  readonly runner: string;
  readonly name: string;
  readonly files: () => Readonly<Record<string, string>>;
  /** What git does not track, and what the user's home has for the project. */
  prepare?(root: string, home: string): void;
  readonly test: { readonly path: string; readonly content: string };
  readonly fix: { readonly path: string; readonly old_string: string; readonly new_string: string };
  /** Names of the cases that were red and are green. */
  readonly cases: readonly string[];
  /** Why a person has to look at it; none where policy decides by itself. */
  readonly forHuman: readonly RegExp[];
}
