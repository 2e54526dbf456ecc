import type { Card } from './card.ts';

interface KindWords {
  readonly title: string;
  /** Each choice and its consequence. */
  readonly choices: readonly (readonly [command: string, consequence: string])[];
}

/** Only on a screen. */
const EDIT = '/edit FILE';
/** Only for a change that was made without tests first. */
const ADD_TESTS = '/add-tests';
/** Only in a session. */
const APPROVE_FILES = '/approve FILE';

const WORDS: Readonly<Record<Card['kind'], KindWords>> = {
  merge: {
    title: 'of the commit',
    choices: [
      ['/approve', 'signs exactly this with your key, merges it into the project and commits it'],
      [APPROVE_FILES, 'takes the other files out; what is left is tested, proved and comes back as a review'],
      [EDIT, 'opens the file in your editor; what you save is tested and comes back as a review'],
      ['/reject "why"', 'writes nothing; the model gets your reason and continues'],
      [ADD_TESTS, 'the model writes tests for this change, and both come back as a review'],
    ],
  },
  policy: {
    title: 'of a call that policy wants you to see',
    choices: [
      ['/approve', 'lets this one call run, in its sandbox'],
      ['/reject "why"', 'the call does not run; the model gets your reason'],
    ],
  },
  plugin: {
    title: 'of a plugin',
    choices: [
      ['/approve', 'lets the plugin in as shown'],
      ['/reject "why"', 'the plugin stays out'],
    ],
  },
  mode: {
    title: 'of a change of mode',
    choices: [
      ['/approve', 'switches this session to that mode'],
      ['/reject "why"', 'the mode does not change'],
    ],
  },
};

export function titleOf(kind: Card['kind']): string {
  return WORDS[kind].title;
}

/** In a session on the whole screen, in one of plain lines, or on a command line. An editor can use the terminal only with a screen. */
export type CardPlace = 'screen' | 'lines' | 'command-line';

/** The choices in the form in which they are entered in this place. */
export function choicesOf({ kind, facts }: Pick<Card, 'kind' | 'facts'>, place: CardPlace): KindWords['choices'] {
  const offered = WORDS[kind].choices.filter(([command]) => command !== ADD_TESTS || facts?.tests_can_follow === true);
  if (place === 'screen') return offered;
  const choices = offered.filter(([command]) => command !== EDIT);
  if (place === 'lines') return choices;
  return choices
    .filter(([command]) => command !== APPROVE_FILES)
    .map(([command, consequence]) => [command.replace('/', 'fluffy review --'), consequence]);
}
