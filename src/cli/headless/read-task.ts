import type { RunArguments } from '../run-arguments.ts';
import { usage } from '../usage-error.ts';
import { readPipedInput } from './read-stdin.ts';

const MAX_CHARACTERS = 200_000;
/** After this long it is said what is being waited for. */
const SLOW_AFTER_MS = 3000;

export interface TaskSources {
  readonly args: Pick<RunArguments, 'task' | 'resume'>;
  readonly stdin: NodeJS.ReadStream;
  /** Calls back once after a delay, unless the returned function was called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly onProgress: (text: string) => void;
}

/**
 * The task of the command line with what was piped as its context; without one, what was piped is the task. Throws FluffyError `usage` for no task, and for
 * one that is too long.
 */
export async function readTask(sources: TaskSources): Promise<{ text: string; context?: string }> {
  const { args, stdin, after, onProgress } = sources;
  const stop = after(SLOW_AFTER_MS, () =>
    onProgress('reading standard input to its end; if nothing is to come from there, start with < /dev/null'),
  );
  const piped = await readPipedInput(stdin).finally(stop);
  if (piped.kind === 'too-large')
    throw usage(
      'the piped input is larger than 8 MiB',
      'Pipe the part that matters, or put it into a file of the project and name that',
    );
  const given = args.task.trim();
  const text = given === '' && piped.kind === 'text' ? piped.text.trim() : given;
  if (text === '') {
    if (args.resume !== null) return { text: 'Go on.' };
    throw usage('there is no task', 'Give one as an argument or on standard input');
  }
  checkLength('task', text);
  if (piped.kind !== 'text' || given === '') return { text };
  checkLength('piped context', piped.text);
  return { text, context: piped.text };
}

function checkLength(what: string, text: string): void {
  if (text.length <= MAX_CHARACTERS) return;
  throw usage(
    `the ${what} has ${text.length} characters, and a model takes at most ${MAX_CHARACTERS} at once`,
    'Put the material into a file of the project and name that: the model reads files in parts',
  );
}
