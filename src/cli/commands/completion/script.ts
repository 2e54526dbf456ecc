import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { SHELLS } from '../../completion/shell-scripts.ts';
import type { Shell } from '../../completion/shell-scripts.ts';
import { usage } from '../../usage-error.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print what makes a shell complete commands, options and values',
  arguments: [{ name: 'shell', describe: 'bash, zsh or fish', required: true }],
  options: {},
  examples: [
    { line: 'fluffy completion bash > ~/.local/share/bash-completion/completions/fluffy', what: 'For bash' },
    { line: 'fluffy completion zsh > "${fpath[1]}/_fluffy"', what: 'For zsh' },
    { line: 'fluffy completion fish > ~/.config/fish/completions/fluffy.fish', what: 'For fish' },
  ],
  exitCodes: [EXIT.done, EXIT.usage],
  readerMayLeave: true,
  withoutHome: true,
  read: ({ shell }) => {
    if (!isShell(shell)) throw usage(`completion knows ${SHELLS.join(', ')}, not ${JSON.stringify(shell)}`);
    return shell;
  },
  run: async (shell, { output }) => {
    const { SHELL_SCRIPTS } = await import('../../completion/shell-scripts.ts');
    output.stdout(SHELL_SCRIPTS[shell]);
    return EXIT.done;
  },
});

function isShell(word: string): word is Shell {
  return SHELLS.some((each) => each === word);
}
