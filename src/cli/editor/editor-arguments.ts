/** A command whose first word is a program, and that is nothing but it and its arguments. */
const ONE_PROGRAM = /^(?!\s*(?:[A-Za-z_]\w*=|:))[^;&|<>()`\n]+$/;

/**
 * Arguments of `sh` that run the person's own `VISUAL` or `EDITOR` on a file. It is a piece of shell, as it is for git: `'/a b/ed' -w`, `$HOME/bin/ed`. The
 * file is an argument of it and never part of the text. Where the command allows it the program takes the shell's place, so that it is the one who gets
 * signals; else the shell outlives a Ctrl-C, which an editor need not take for an end.
 */
export function editorArguments(command: string, file: string): readonly string[] {
  const run = ONE_PROGRAM.test(command) ? 'exec' : 'trap : INT;';
  return ['-c', `${run} ${command} "$@"`, command, file];
}
