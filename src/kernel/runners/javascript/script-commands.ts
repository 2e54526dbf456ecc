import { wordsOf } from '../command-words.ts';
import type { Words } from '../command-words.ts';

const RUNS_SCRIPT = new Set(['npm', 'pnpm', 'yarn', 'bun']);
const RUNS_SCRIPTS = new Set(['run-s', 'npm-run-all']);

/**
 * Returns the commands that a package script runs, in order. Scripts that it calls by `npm run` are looked up in
 * `scripts`. Commands with shell syntax (pipes, substitutions) are left out. Nothing is executed.
 */
export function scriptCommands(name: string, scripts: Readonly<Record<string, string>>): Words[] {
  const seen = new Set<string>();
  const commandsOf = (each: string): Words[] => {
    const script = scripts[each];
    if (script === undefined || seen.has(each)) return [];
    seen.add(each);
    return split(script).flatMap((words) => {
      const called = calledScripts(words, scripts);
      return called.length === 0 ? [words] : called.flatMap(commandsOf);
    });
  };
  return commandsOf(name);
}

function split(script: string): Words[] {
  return script
    .split(/&&|\|\||;/)
    .filter((command) => !/[|<>`$()]/.test(command))
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function calledScripts(words: Words, scripts: Readonly<Record<string, string>>): readonly string[] {
  const [program = '', ...rest] = words;
  const names = rest.filter((word) => !word.startsWith('-'));
  if (RUNS_SCRIPTS.has(program)) return names.flatMap((name) => scriptsLike(name, scripts));
  if (program === 'deno') return names[0] === 'task' && names[1] !== undefined ? [names[1]] : [];
  if (!RUNS_SCRIPT.has(program)) return [];
  const [first = '', second = ''] = names;
  if (first === 'run' || first === 'run-script') return scriptsLike(second, scripts);
  // Bun's own runner, even if a script has this name.
  if (program === 'bun' && first === 'test') return [];
  // `pnpm lint` and `yarn lint` run a script of that name, and `npm test` needs no `run`.
  return first in scripts ? [first] : [];
}

/** The scripts of a name, of a glob of npm-run-all (`test:*`), or of an expression of pnpm that names their start. */
export function scriptsLike(name: string, scripts: Readonly<Record<string, string>>): readonly string[] {
  const [, start, more] = /^(?:\/\^)?([\w:-]+:)(\*{1,2}|\.\*\/)$/.exec(name) ?? [];
  if (start === undefined) return [name];
  const deep = more !== '*';
  return Object.keys(scripts).filter(
    (each) => each.startsWith(start) && (deep || !each.slice(start.length).includes(':')),
  );
}
