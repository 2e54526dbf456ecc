export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * The script that a shell loads. It calls `fluffy completion-words` for each word, so that commands, options and values are always those of the
 * installed version. If nothing fits, the shell completes files. No blank follows a word that ends in a slash, because a path or a model's name
 * continues. Each word is sent with a `=` before it, so that an empty one is not lost.
 */
export const SHELL_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `_fluffy() {
  local IFS=$'\\n'
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=($(fluffy completion-words -- "\${words[@]/#/=}" 2>/dev/null))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _fluffy fluffy
`,
  zsh: `#compdef fluffy
_fluffy() {
  local -a found
  local added=1
  found=("\${(@f)$(fluffy completion-words -- "\${(@)words[2,CURRENT]/#/=}" 2>/dev/null)}")
  if [[ -z "\${found[1]}" ]]; then
    _files
    return
  fi
  compadd -S '' -- "\${(@M)found:#*/}" && added=0
  compadd -- "\${(@)found:#*/}" && added=0
  return added
}
compdef _fluffy fluffy
`,
  fish: `function __fluffy_words
    set -l words (commandline -opc) (commandline -ct)
    fluffy completion-words -- (string replace -r '^' '=' -- $words[2..-1]) 2>/dev/null
end
complete -c fluffy -a '(__fluffy_words)'
`,
};

/** The words that a shell has passed. */
export function readShellWords(line: string): readonly string[] {
  return line.split(/(?:^| )=/).slice(1);
}
