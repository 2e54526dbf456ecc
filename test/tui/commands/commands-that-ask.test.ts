import { describe, expect, it } from 'vitest';
import { MAX_COMMAND_TEXT } from '../../../src/contracts/session/called-command.ts';
import { fittingCommands } from '../../../src/tui/commands/command-menu.ts';
import { ownCommand } from '../../../src/tui/commands/own-command.ts';
import type { CommandFile } from '../../../src/tui/commands/own-command.ts';
import { reset } from '../../../src/tui/commands/reset.ts';
import { edit } from '../../../src/tui/commands/review.ts';
import type { SlashCommand, SlashContext } from '../../../src/tui/commands/slash-command.ts';

/** A conversation in which a person answers every question so, with what was done and said in it. */
function scene({ yes = true, diff = '', files = [] as string[], accepted = false } = {}) {
  const done: string[] = [];
  const note = (what: string) => (text: string) => void done.push(`${what}: ${text}`);
  const context = {
    answer: note('answer'),
    hint: note('hint'),
    note: note('note'),
    confirm: (question: string) => {
      done.push(`asked: ${question}`);
      return Promise.resolve(yes);
    },
    request: (method: string) => {
      done.push(method);
      return Promise.resolve({ text: diff });
    },
    keepPatch: () => Promise.resolve('/kept.patch'),
    reviewDropped: () => void done.push('review dropped'),
    reviewFiles: () => files,
    editReview: (paths: readonly string[]) => Promise.resolve(void done.push(`edit ${paths.join()}`)),
    isAccepted: () => Promise.resolve(accepted),
    accept: (digest: string) => Promise.resolve(void done.push(`accepted ${digest}`)),
    call: (line: string, command: { text: string }) => void done.push(`${line}: ${command.text}`),
  };
  return { context: context as unknown as SlashContext, done };
}

const DIFF = 'diff --git a/x b/x\n+x\ndiff --git a/y b/y\n+y\n';

describe('/reset', () => {
  it.each<readonly [string, Parameters<typeof scene>[0], readonly string[]]>([
    [
      'asks before it drops work, and keeps a patch',
      { diff: DIFF },
      [
        'session.describe',
        'asked: Drop 2 changed files? A patch is kept.',
        'session.reset',
        'review dropped',
        'note: 2 changed files dropped; the project was not changed. To restore them as your own changes: git apply /kept.patch',
      ],
    ],
    [
      'drops nothing where the person says no',
      { diff: DIFF, yes: false },
      ['session.describe', 'asked: Drop 2 changed files? A patch is kept.', 'note: Nothing was dropped.'],
    ],
    [
      'does not ask where nothing is staged',
      {},
      ['session.describe', 'session.reset', 'review dropped', 'note: Nothing was staged. The session is idle.'],
    ],
  ])('%s', async (_what, options, expected) => {
    const { context, done } = scene(options);
    await reset.run('', context);
    expect(done).toEqual(expected);
  });
});

describe('/edit', () => {
  const files = ['src/a.ts', 'src/b.ts'];
  it.each<readonly [string, string[], string]>([
    ['src/b.ts @src/a.ts ./src/b.ts', files, 'edit src/b.ts,src/a.ts'],
    ['src/c.ts', files, 'hint: src/c.ts is not a file of this review: src/a.ts, src/b.ts'],
    ['src/a.ts', [], 'hint: No review waits.'],
  ])('%s', async (argument, known, expected) => {
    const { context, done } = scene({ files: known });
    await edit.run(argument, context);
    expect(done).toEqual([expected]);
  });
});

describe('a command of a file', () => {
  const file = (change: Partial<CommandFile> = {}): CommandFile => ({
    name: 'fix',
    of: 'project',
    description: 'Fix it',
    argument: 'WHAT',
    body: 'Fix $1 as in $ARGUMENTS',
    digest: 'd1',
    ...change,
  });
  const question = 'asked: This text of the project goes to the model. Use it as /fix?';

  it.each<readonly [string, CommandFile, Parameters<typeof scene>[0], readonly string[]]>([
    ['of the user is used at once', file({ of: 'user' }), {}, ['/fix a b: Fix a as in a b']],
    [
      'of the project is shown, and used after a yes',
      file(),
      {},
      ['answer: Fix $1 as in $ARGUMENTS', question, 'accepted d1', '/fix a b: Fix a as in a b'],
    ],
    [
      'of the project is not used without a yes',
      file(),
      { yes: false },
      ['answer: Fix $1 as in $ARGUMENTS', question, 'note: /fix was not used.'],
    ],
    ['of the project that was accepted is used at once', file(), { accepted: true }, ['/fix a b: Fix a as in a b']],
  ])('%s', async (_what, command, options, expected) => {
    const { context, done } = scene(options);
    await ownCommand(command).run('a b', context);
    expect(done).toEqual(expected);
  });

  it('is not used where what follows makes it too long', async () => {
    const { context, done } = scene();
    const half = 'x'.repeat(MAX_COMMAND_TEXT / 2);
    await ownCommand(file({ of: 'user', body: '$1$1$1' })).run(half, context);
    expect(done).toEqual([expect.stringMatching(/^answer: \/fix was not used: /)]);
  });
});

it.each<readonly [string, readonly string[]]>([
  ['/re', ['reset', 'redo']],
  ['/RES', ['reset']],
  ['/drop', ['reset']],
  ['/', ['reset', 'redo']],
  ['/reset now', []],
  ['reset', []],
])('what is typed as %j can become %j', (text, names) => {
  const commands = [reset, { ...reset, name: 'redo', synonyms: [] }] as SlashCommand[];
  expect(fittingCommands(text, commands).map(({ name }) => name)).toEqual(names);
});
