import type { HeadlessArguments } from '../run-arguments.ts';
import { usage } from '../usage-error.ts';
import { readPipedInput } from './read-stdin.ts';

/** After this time a message says what is awaited. */
const SLOW_AFTER_MS = 3000;

export interface TaskSources {
  readonly args: Pick<HeadlessArguments, 'task' | 'resume'>;
  readonly stdin: NodeJS.ReadStream;
  /** Calls back once after a delay, unless the returned function was called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly onProgress: (text: string) => void;
}

/** Checked first: a terminal is not read, so no task can come. Throws FluffyError `usage`. */
export function refuseNoTask({ task, resume }: TaskSources['args'], stdin: { readonly isTTY?: boolean }): void {
  if (task.trim() === '' && resume === null && stdin.isTTY === true) throw noTask();
}

function noTask(): Error {
  return usage('there is no task', 'Give one as an argument or on standard input');
}

/**
 * The task of the command line, with piped input as its context; without a task, the piped input is the task. If it is too long for a model, the
 * kernel stores it to be read in parts. Throws FluffyError `usage` for a missing task, and for more than 8 MiB.
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
    throw noTask();
  }
  if (piped.kind !== 'text' || given === '') return { text };
  return { text, context: piped.text };
}
