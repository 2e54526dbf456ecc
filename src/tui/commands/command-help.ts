import { ownValue } from '../../lib/own-value.ts';
import { usageOf } from './slash-command.ts';
import type { SlashCommand } from './slash-command.ts';

/** Help that does not fit into the one line of a command. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  strict: ['It switches an idle session. Policy may require a review for that.'],
  explore: [
    'It switches an idle session. Policy may require a review for that.',
    '/add-tests requests tests at a review.',
  ],
  debug: ['It switches an idle session, after a review.'],
  why: ['It names the real target, every rule that took part, and what would change the answer.'],
  diff: ['While a review waits, Ctrl-O opens it file by file.'],
  approve: [
    '/approve                    signs the whole change that the card shows, and commits it',
    '/approve src/a.js src/b.js  takes the other files out; what is left is tested, proved and shown again',
    'Tab completes files of the review. Keys that were typed before the card was drawn do not count.',
  ],
  edit: [
    '/edit src/a.js  opens the file, as it would be committed, in VISUAL, EDITOR or vi',
    'What you save is staged in your name. Suite and proof run again, and the commit comes back as a review.',
    'If you leave the file unchanged, or the editor fails (:cq in vi), nothing is decided.',
  ],
  reject: [
    '/reject "Keep the old name"           sends the whole change back to the model',
    '/reject src/a.js "Keep the old name"  only that file is to change; the others count as accepted',
  ],
  'add-tests': ['For changes of explore and debug mode. The model can write only tests then.'],
  undo: ['Files, index and branch become what they were. If the files have changed since, nothing is done.'],
  redo: ['The commit has the same id and evidence. A new commit ends what can be redone.'],
  reset: ['The patch is kept beside the files of fluffy; the answer has the git command that restores it.'],
  model: ['/model          lists the models, with those that can be used here', '/model openai/gpt-5  takes this one'],
  budget: [
    'Limits are set at the start (--max-cost, --max-tokens, --max-turns, --max-duration) or in the configuration.',
  ],
  compact: [
    '/compact the API and its errors  the summary keeps these',
    'Nothing is lost: the model can search all of it.',
  ],
  pin: [
    '/pin never change the API  a text',
    '/pin docs/api.md           what was read of this file',
    '/unpin 1 removes the first one.',
  ],
  resume: ['Type to search titles and last messages. A fork is listed below its parent.'],
  fork: ['Files are those of the project. Staged changes stay with the session that you leave.'],
  rewind: ['The chosen message is put into the prompt, in a copy of the session that ends before it.'],
  export: [
    '/export            writes Markdown beside the files of fluffy',
    '/export work.html  one page; .md, .json, and .jsonl for --model replay/FILE',
    'Text that looks like a secret is masked.',
  ],
  theme: ['/theme       a list with a preview', '/theme dark  takes this one; your configuration keeps it'],
  keys: ['Keys of your own: keys in your configuration, see docs/configuration.md.'],
  help: ['/help          every command', '/help approve  more about one'],
};

/** The complete help of one command. */
export function commandHelp(command: SlashCommand): string {
  const more = ownValue(MORE, command.name) ?? [];
  const { synonyms } = command;
  return [
    usageOf(command),
    `  ${command.help}`,
    ...more.map((line) => `  ${line}`),
    ...(synonyms.length === 0 ? [] : [`  other names for it: ${synonyms.join(', ')}`]),
  ].join('\n');
}

/** The command that a word means, with or without its slash, by its name or a synonym. */
export function commandMeant(word: string, commands: readonly SlashCommand[]): SlashCommand | undefined {
  const name = word.replace(/^\//, '').toLowerCase();
  return commands.find((each) => each.name === name) ?? commands.find(({ synonyms }) => synonyms.includes(name));
}
