import type { HeadlessArguments } from '../run-arguments.ts';
import { usage } from '../usage-error.ts';
import { readPipedInput } from './read-stdin.ts';

/** After this long it is said what is being waited for. */
const SLOW_AFTER_MS = 3000;

export interface TaskSources {
  readonly args: Pick<HeadlessArguments, 'task' | 'resume'>;
  readonly stdin: NodeJS.ReadStream;
  /** Calls back once after a delay, unless the returned function was called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly onProgress: (text: string) => void;
}

/** Before anything else is looked at: a terminal is not read, so no task can come. Throws FluffyError `usage`. */
export function refuseNoTask({ task, resume }: TaskSources['args'], stdin: { readonly isTTY?: boolean }): void {
  if (task.trim() === '' && resume === null && stdin.isTTY === true) throw noTask();
}

function noTask(): Error {
  return usage('there is no task', 'Give one as an argument or on standard input');
}

/**
 * The task of the command line with what was piped as its context; without one, what was piped is the task. The kernel keeps what a model cannot take at
 * once, to be read in parts. Throws FluffyError `usage` for no task, and for more than 8 MiB.
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
