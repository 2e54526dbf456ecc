import { turn } from '../wire/script.ts';
import type { Script, ScriptedCall, ScriptedRequest, ScriptedTurn } from '../wire/script.ts';

/** What a model sees before it speaks again. */
export interface Seen {
  /** Results of its calls, in their order. */
  readonly results: readonly string[];
  /** What it was told beside them. */
  readonly told: string;
  readonly state: string;
}

/** A model as a person at work: says something, calls tools, looks at what came back, and goes on from that. */
export type Developer = Generator<ScriptedTurn, void, Seen>;

/** A developer's answers, and whether it got lost on the way. */
export interface PlayedDeveloper {
  readonly script: Extract<Script, (...args: never) => unknown>;
  /** What it could not make sense of; null so far. */
  readonly lost: () => string | null;
}

/** One that has come to its end has nothing more to say than "Done."; one that is lost gives up, as a real one would. */
export function playDeveloper(developer: Developer): PlayedDeveloper {
  let lost: string | null = null;
  return {
    lost: () => lost,
    script: (request) => {
      try {
        const next = developer.next(seenIn(request));
        return next.done === true ? turn({ text: 'Done.' }) : next.value;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        lost = reason;
        return turn({ text: 'I am lost.', calls: [{ tool: 'task.give_up', input: { reason } }] });
      }
    },
  };
}

function seenIn(request: ScriptedRequest): Seen {
  return {
    results: request.results.map((result) => result.content),
    told: request.lastText,
    state: request.state,
  };
}

/** A message: words, and calls with them. */
export function say(text: string, ...calls: readonly ScriptedCall[]): ScriptedTurn {
  return turn({ text, calls });
}

/** The first group of `pattern` in what a tool said: how a model takes advice. A tool that gives none leaves it lost. */
export function learn(result: string | undefined, pattern: RegExp): string {
  const found = pattern.exec(result ?? '');
  if (found === null) throw new Error(`expected ${String(pattern)} in: ${result ?? 'nothing'}`);
  return found[1] ?? found[0];
}

export const read = (path: string): ScriptedCall => ({ tool: 'fs.read', input: { path } });
export const list = (path: string): ScriptedCall => ({ tool: 'fs.list', input: { path } });
export const grep = (pattern: string): ScriptedCall => ({ tool: 'search.grep', input: { pattern } });
export const write = (path: string, content: string): ScriptedCall => ({ tool: 'fs.write', input: { path, content } });
export const edit = (path: string, old_string: string, new_string: string): ScriptedCall => ({
  tool: 'fs.edit',
  input: { path, old_string, new_string },
});
export const move = (from: string, to: string): ScriptedCall => ({ tool: 'fs.move', input: { from, to } });
export const remove = (path: string): ScriptedCall => ({ tool: 'fs.delete', input: { path } });
export const runTests = (...paths: readonly string[]): ScriptedCall => ({
  tool: 'test.run',
  input: paths.length === 0 ? {} : { paths },
});
export const plan = (summary: string, ...steps: readonly string[]): ScriptedCall => ({
  tool: 'plan.complete',
  input: { summary, steps },
});
export const commit = (message: string): ScriptedCall => ({ tool: 'git.commit', input: { message } });
