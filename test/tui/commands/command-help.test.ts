import { describe, expect, it } from 'vitest';
import { commandHelp, commandMeant } from '../../../src/tui/commands/command-help.ts';
import { SLASH_COMMANDS } from '../../../src/tui/commands/registry.ts';

const helpOf = (word: string): string => {
  const command = commandMeant(word, SLASH_COMMANDS);
  return command === undefined ? '' : commandHelp(command);
};

describe('/help COMMAND', () => {
  it.each(SLASH_COMMANDS.map(({ name }) => name))('says how /%s is written and what it does', (name) => {
    const [usage, help, ...more] = helpOf(name).split('\n');
    const command = SLASH_COMMANDS.find((each) => each.name === name);
    expect(usage).toMatch(new RegExp(`^/${name}( |$)`));
    expect(help?.trim()).toBe(command?.help);
    for (const line of more) expect(line).toMatch(/^ {2}\S/);
  });

  it.each(['approve', 'edit', 'reject', 'export', 'model', 'pin', 'help'])('has examples of /%s', (name) => {
    expect(helpOf(name)).toMatch(new RegExp(`\\n {2}/${name} \\S.* {2}`));
  });

  it('finds a command with its slash, and by what other tools call it', () => {
    expect(helpOf('/new')).toBe(helpOf('clear'));
    expect(helpOf('stats')).toMatch(/^\/cost\n/);
    expect(helpOf('nonsense')).toBe('');
    expect(helpOf('constructor')).toBe('');
  });
});
