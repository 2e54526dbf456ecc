import { NEW_TEST } from '../../../test/support/job/parse-config-turns.ts';
import { PARSE_CONFIG_FILES } from '../../../test/support/job/job-project.ts';

/** What the scripted model wants next. Each agent has tools of its own for it. */
export type Step =
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'search'; readonly word: string }
  | { readonly kind: 'plan'; readonly summary: string }
  | { readonly kind: 'create'; readonly path: string; readonly text: string }
  | { readonly kind: 'replace'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'run-tests' }
  | { readonly kind: 'commit'; readonly message: string };

/** One answer of the model. */
export interface Answer {
  readonly words: string;
  readonly steps: readonly Step[];
}

/** What a scripted model does in a project, the same for every agent. */
export interface Job {
  readonly task: string;
  readonly files: Readonly<Record<string, string>>;
  readonly answers: readonly Answer[];
}

/** Two hours, at 30 seconds an answer. */
const ANSWERS = 240;
const FILES = 120;
const SOURCE = 'src/parse-config.js';
const TEST = 'test/bad-config.test.js';
/** Answers that look around before the tests are written. */
const EXPLORING = 30;

const TASK = 'A broken configuration file must be reported with what is wrong. Look at how lib/ does it.';

/** Two hours of work in a project of 1.5 MB. */
export function longJob(): Job {
  return { task: TASK, files: projectFiles(), answers: transcript() };
}

/** A test-first task of the smallest kind: read, test, see it fail, change, see it pass, commit. */
export function shortJob(): Job {
  const reading = say('I read the source first.', { kind: 'read', path: SOURCE });
  const planning = say('I catch what JSON.parse throws.', plan());
  return { task: TASK, files: PARSE_CONFIG_FILES, answers: [reading, planning, ...testFirst(), ...change()] };
}

/** Two small files that the task is about, and what is read to understand them. */
function projectFiles(): Readonly<Record<string, string>> {
  const lines = (index: number): number => 30 + ((index * 97) % 240);
  return {
    ...PARSE_CONFIG_FILES,
    ...Object.fromEntries(
      Array.from({ length: FILES }, (_, index) => [
        pathOf(index),
        Array.from({ length: lines(index) }, (_line, line) => sourceLine(index, line)).join(''),
      ]),
    ),
  };
}

/** Looks around, writes a test, then tries, reads and runs the tests in turns until it works. */
function transcript(): readonly Answer[] {
  const answers: Answer[] = Array.from({ length: EXPLORING }, (_, index) => lookingAround(index));
  answers.push(say('The errors of lib/ name the file and the place. I plan the same here.', plan()));
  answers.push(...testFirst());
  let attempt = 0;
  for (let index = answers.length; index < ANSWERS - 4; index += 1) {
    if (index % 8 === 0) answers.push(say('I try another way of doing it.', attemptStep(attempt++)));
    else if (index % 32 === 1) answers.push(say('Does this work?', { kind: 'run-tests' }));
    else answers.push(lookingAround(index));
  }
  return [...answers, ...change()];
}

function testFirst(): readonly Answer[] {
  return [
    say('First a test that fails.', { kind: 'create', path: TEST, text: NEW_TEST }),
    say('It has to fail now.', { kind: 'run-tests' }),
  ];
}

function change(): readonly Answer[] {
  return [
    say('Now the whole of it.', { kind: 'replace', path: SOURCE, before: OLD_BODY, after: NEW_BODY }),
    say('All tests have to pass.', { kind: 'run-tests' }),
    say('They do.', { kind: 'commit', message: 'Say what is wrong with a broken configuration' }),
  ];
}

const OLD_BODY = '  return JSON.parse(text);\n';
const NEW_BODY = `  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(\`the configuration is not valid JSON: \${error.message}\`, { cause: error });
  }
`;

function lookingAround(index: number): Answer {
  const read = (file: number): Step => ({ kind: 'read', path: pathOf(file % FILES) });
  if (index % 6 === 5) return say('Who else uses this?', { kind: 'search', word: `value${(index * 7) % FILES}x1` });
  if (index % 3 === 0) return say('These two belong together.', read(index * 7), read(index * 7 + 3));
  return say('I need to see how this one does it before I go on.', read(index * 7));
}

function attemptStep(attempt: number): Step {
  const before = attempt === 0 ? 'export function parseConfig' : attemptText(attempt - 1);
  const after = attempt === 0 ? `${attemptText(0)}export function parseConfig` : attemptText(attempt);
  return { kind: 'replace', path: SOURCE, before, after };
}

function attemptText(attempt: number): string {
  return Array.from(
    { length: 8 },
    (_, line) => `// Attempt ${attempt}, thought ${line}: what the reader needs.\n`,
  ).join('');
}

function plan(): Step {
  return { kind: 'plan', summary: 'Catch what JSON.parse throws and say what is wrong' };
}

function say(words: string, ...steps: readonly Step[]): Answer {
  return { words: `${words} `.repeat(3), steps };
}

function pathOf(index: number): string {
  return `lib/module${index}.js`;
}

function sourceLine(index: number, line: number): string {
  return `export const value${index}x${line} = check(settings.part${line}, 'line ${line} of module ${index}');\n`;
}
