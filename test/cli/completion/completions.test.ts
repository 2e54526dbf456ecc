import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { COMMANDS, DEFAULT_COMMAND } from '../../../src/cli/command-line/registry.ts';
import { completions } from '../../../src/cli/completion/completions.ts';
import { manPage } from '../../../src/cli/completion/man-page.ts';
import { readShellWords, SHELL_SCRIPTS } from '../../../src/cli/completion/shell-scripts.ts';

const VALUES = { sessions: ['s_abc', 's_xyz'], models: ['anthropic/claude-x', 'openai/gpt-x'] };
const complete = (...words: string[]) => completions(words, COMMANDS, DEFAULT_COMMAND, VALUES);

describe('what completes a word', () => {
  it.each<[string[], string[]]>([
    [['doc'], ['doctor']],
    [['config', 'policy', 'ch'], ['check']],
    [['session', 'ex'], ['export']],
    [['session', 'export', 's_a'], ['s_abc']],
    [['session', 'export', 's_abc', ''], []],
    [
      ['session', 'export', '--format', ''],
      ['md', 'html', 'json', 'replay'],
    ],
    [['--mode', 's'], ['strict']],
    [
      ['--resume', ''],
      ['s_abc', 's_xyz'],
    ],
    [['-r', 's_x'], ['s_xyz']],
    [['--model', 'open'], ['openai/gpt-x']],
    [['--outp'], ['--output-format']],
    [['review', '--appr'], ['--approve']],
    [['--print', 'doc'], []],
    [['fix', 'the'], []],
  ])('%j is %j', (words, found) => {
    expect(complete(...words)).toEqual(found);
  });

  it('is every command and group for an empty word', () => {
    expect(complete('')).toEqual([...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))]);
  });
});

it('a shell passes empty words and words with blanks', () => {
  expect(readShellWords('=session =')).toEqual(['session', '']);
  expect(readShellWords('=a b =--x=1 =')).toEqual(['a b', '--x=1', '']);
  expect(readShellWords('')).toEqual([]);
});

it('bash loads its script, and gets what fluffy prints', () => {
  const script = `fluffy() { local IFS=' '; [ "$*" = 'completion-words -- =session =ex' ] && echo export; }
${SHELL_SCRIPTS.bash}
COMP_WORDS=(fluffy session ex); COMP_CWORD=2; _fluffy; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' })).toBe('export\n');
});

it('the manual page names every command and option, and no text begins a macro', () => {
  const page = manPage('1.0.0', DEFAULT_COMMAND, COMMANDS);
  for (const { name } of COMMANDS) expect(page).toContain(`fluffy ${name}`.replaceAll('-', '\\-'));
  for (const name of Object.keys(DEFAULT_COMMAND.options))
    expect(page).toContain(`\\-\\-${name.replaceAll('-', '\\-')}`);
  for (const line of page.split('\n').filter((each) => each.startsWith('.')))
    expect(line).toMatch(/^\.(TH|SH|SS|TP|B|br)( |$)/);
});
