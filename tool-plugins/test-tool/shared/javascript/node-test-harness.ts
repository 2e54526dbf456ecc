import { run } from 'node:test';
import { pathToFileURL } from 'node:url';

const { apply, ownKeys, defineProperty, getPrototypeOf } = Reflect;

/** `run` of these versions of Node runs a file in its own process, and says when all is done. */
const RUNS_IN_PROCESS = [22, 11] as const;

/** Whether `node:test` of this Node runs a file in the process that asks for it. An older one starts another process, in which nothing of ours would be first. */
export const runsInProcess = ((): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > RUNS_IN_PROCESS[0] || (major === RUNS_IN_PROCESS[0] && minor >= RUNS_IN_PROCESS[1]);
})();

/** What an older Node prints of the results is nothing with this reporter, which gets none. */
const QUIET = '--test-reporter=spec';

/** Options of `node` for the process of a file. */
export function fileOptions(options: readonly string[]): readonly string[] {
  return runsInProcess || options.some((each) => each.startsWith('--test-reporter')) ? options : [...options, QUIET];
}

/**
 * Of an older Node: takes every result by the member of the stream of results through which all of them go, which nothing can replace from then on, before any code
 * of the project runs. The stream of the file is the first one that has a test: code of the project can make others. Returns the prototype of the streams.
 */
export function takeResults(receive: (type: string, data: unknown) => void): object {
  const prototype = getPrototypeOf(run({ files: [] })) as Record<PropertyKey, unknown>;
  const key = ownKeys(prototype).find((each) => typeof each === 'symbol' && each.description === 'kEmitMessage');
  const emit = key === undefined ? undefined : prototype[key];
  if (key === undefined || typeof emit !== 'function')
    throw new Error(`fluffy: node:test of Node ${process.versions.node} cannot be observed`);
  let own: unknown = null;
  function value(this: unknown, type: string, data: unknown): void {
    if (own === null && type === 'test:enqueue') own = this;
    if (this === own) receive(type, data);
    else apply(emit as (...all: unknown[]) => unknown, this, [type, data]);
  }
  defineProperty(prototype, key, { value, writable: false, configurable: false });
  return prototype;
}

/** Of an older Node: loads the file, whose tests begin as they are registered. What it throws is its error. */
export async function loadFile(file: string): Promise<{ readonly error: unknown } | null> {
  try {
    await import(pathToFileURL(file).href);
    return null;
  } catch (error) {
    return { error };
  }
}
