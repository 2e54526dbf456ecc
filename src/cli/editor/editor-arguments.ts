/** A command that consists of one program and its arguments. */
const ONE_PROGRAM = /^(?!\s*(?:[A-Za-z_]\w*=|:))[^;&|<>()`\n]+$/;

/**
 * Arguments of `sh` that run the person's own `VISUAL` or `EDITOR` on a file. It is shell text, as for git: `'/a b/ed' -w`, `$HOME/bin/ed`. The file
 * is an argument and never part of the text. If possible the program replaces the shell, so that it gets the signals. Otherwise the shell survives a
 * Ctrl-C, which an editor may handle without ending.
 */
export function editorArguments(command: string, file: string): readonly string[] {
  const run = ONE_PROGRAM.test(command) ? 'exec' : 'trap : INT;';
  return ['-c', `${run} ${command} "$@"`, command, file];
}
