import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS, DEFAULT_COMMAND } from '../../../src/cli/command-line/registry.ts';
import { expectedAt, fitting } from '../../../src/cli/completion/completions.ts';
import { readValues } from '../../../src/cli/completion/value-sources.ts';
import { manPage } from '../../../src/cli/completion/man-page.ts';
import { readShellWords, SHELL_SCRIPTS } from '../../../src/cli/completion/shell-scripts.ts';

const VALUES: Partial<Record<string, readonly string[]>> = {
  session: ['s_abc', 's_xyz'],
  model: ['anthropic/claude-x', 'openai/gpt-x'],
  value: ['a', 'b'],
};
const complete = (...words: string[]) => {
  const expected = expectedAt(words, COMMANDS, DEFAULT_COMMAND);
  const kind = expected.values?.kind ?? '';
  return fitting(expected, [...expected.words, ...(VALUES[kind] ?? [])]);
};

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
    [['--mode=s'], ['--mode=strict']],
    [['--mode', '=', 's'], ['strict']],
    [
      ['--mode', '='],
      ['strict', 'explore', 'debug'],
    ],
    [['session', 'show', '--json', 's_x'], ['s_xyz']],
    [['session', 'export', '--output', 'x.md', 's_x'], ['s_xyz']],
    [['config', 'set', '--project-scope', 'test.runner', 'b'], ['b']],
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

describe('values that are read when they are completed', () => {
  const read = async (...words: string[]) => {
    const home = mkdtempSync(join(tmpdir(), 'fluffy-completion-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const config = join(home, 'config.yaml');
    writeFileSync(
      config,
      'providers: {mine: {kind: openai-compatible, base_url: "http://127.0.0.1:1/v1"}}\nmodels: {mine/m: {window_tokens: 9000}}\n',
    );
    for (const name of ['a.jsonl', 'b.txt', '.c.jsonl']) writeFileSync(join(home, name), '');
    mkdirSync(join(home, 'more'));
    const expected = expectedAt(
      words.map((word) => word.replace('HOME', home)),
      COMMANDS,
      DEFAULT_COMMAND,
    );
    const values = await readValues(expected, { project: home, env: { HOME: home, FLUFFY_CONFIG: config } });
    return fitting(expected, values).map((word) => word.replace(home, 'HOME'));
  };

  it.each<[string[], string[]]>([
    [['--model', 'rep'], ['replay/']],
    [['--model=rep'], ['--model=replay/']],
    [
      ['--model', 'replay/HOME/'],
      ['replay/HOME/a.jsonl', 'replay/HOME/more/'],
    ],
    [['--model', 'replay/HOME/.'], ['replay/HOME/.c.jsonl']],
    [['--model', 'replay/HOME/nowhere/'], []],
    [['--model', 'oll'], ['ollama/']],
    [['--model', 'mine'], ['mine/m']],
    [
      ['config', 'get', 'limits.s'],
      ['limits.session.cost', 'limits.session.tokens'],
    ],
    [['config', 'unset', 'test.ru'], ['test.runner']],
    [['config', 'get', 'small'], []],
    [
      ['config', 'set', 'mode', ''],
      ['strict', 'explore', 'debug'],
    ],
    [['config', 'set', 'limits.turns', ''], ['none']],
    [['config', 'policy', 'explain', 'git.c'], ['git.commit']],
    [['config', 'policy', 'explain', 'fs.write', 'src/a.ts', '--state', 'code'], ['code_writing']],
    [['config', 'policy', 'explain', '--mode', 'd'], ['debug']],
    [['config', 'set', 'dependencies.reserved_addresses', 't'], ['true']],
    [['config', 'set', 'model', 'mine/'], ['mine/m']],
    [
      ['config', 'set-key', 'mi'],
      ['mistral', 'mine'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['session', 'show', ''], []],
  ])('%j is %j', async (words, found) => {
    expect(new Set(await read(...words))).toEqual(new Set(found));
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
  for (const { name, forPrograms } of COMMANDS)
    expect(page.includes(`fluffy ${name}`.replaceAll('-', '\\-'))).toBe(forPrograms !== true);
  for (const name of Object.keys(DEFAULT_COMMAND.options))
    expect(page).toContain(`\\-\\-${name.replaceAll('-', '\\-')}`);
  for (const line of page.split('\n').filter((each) => each.startsWith('.')))
    expect(line).toMatch(/^\.(TH|SH|SS|TP|B|br)( |$)/);
});
