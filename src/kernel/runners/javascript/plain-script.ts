import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { shellWords } from '../../../lib/text/shell-words.ts';
import { wordsOf } from '../command-words.ts';
import type { Words } from '../command-words.ts';
import { plainEnvironment } from '../plain-command.ts';
import type { PlainCommand, PlainProject } from '../plain-command.ts';
import { SCRIPTS, readManifestText } from './package-signs.ts';
import { scriptCommands, scriptsLike } from './script-commands.ts';

/** Scripts that build what the tests need. The first one that exists is used. */
const BUILD_SCRIPTS = ['build', 'compile', 'prepare', 'generate'];

const RUNS_SCRIPT =
  /\b(?:npm|pnpm|yarn)((?:\s+(?:-s|--silent))*)(?:\s+run(?:-script)?)?(?:\s+(?:-s|--silent))*\s+([\w:.-]+|"\/\^[\w:-]+\.\*\/")(?!\s+--)/g;
/** Programs that run several scripts, one after the other. */
const RUNS_SCRIPTS =
  /\b(?:run-s|npm-run-all)(?:\s+(?:-s|--serial|--sequential|--silent))*((?:\s+["']?\w[\w:.*-]*["']?)+)(?=\s*(?:$|[&|;)]))/g;
const RUNS_PACKAGE = /\bnpx(?:\s+(?:-y|--yes|--no|--no-install))*\s+/g;

/**
 * Returns the package script that starts this runner, or `words` if there is none. It runs as npm runs it, with its pre
 * and post scripts. Scripts that it calls by name are inlined, because a sandbox has no npm.
 */
export function plainScript(
  command: TestCommand,
  { projectRoot, manifest }: PlainProject,
  recognises: (words: Words) => boolean,
  words: readonly string[],
): PlainCommand {
  const scripts = readManifestText(manifest)?.scripts ?? {};
  const name = SCRIPTS.find((each) => scriptCommands(each, scripts).some(recognises));
  const build = BUILD_SCRIPTS.find((each) => each in scripts);
  return {
    words: name === undefined ? shellWords(words) : name === 'test' ? 'npm test' : `npm run ${name}`,
    script: name === undefined ? shellWords(words) : expandedScript(name, scripts),
    build: build === undefined ? null : { words: `npm run ${build}`, script: expandedScript(build, scripts) },
    env: packageEnvironment(command, projectRoot),
    image: 'node',
  };
}

function packageEnvironment({ cwd }: TestCommand, projectRoot: string): PlainCommand['env'] {
  const homes = [...new Set([cwd === '' ? projectRoot : `${projectRoot}/${cwd}`, projectRoot])];
  return plainEnvironment(homes.map((home) => `${home}/node_modules/.bin`));
}

/** Returns a package script as shell text that works without npm. */
export function expandedScript(name: string, scripts: Scripts): string {
  return expanded(name, scripts, new Set());
}

/** Returns a command that is not a package script, with the scripts that it calls inlined. */
export function expandedCommand(command: string, scripts: Scripts): string {
  return inlined(command, scripts, new Set());
}

type Scripts = Readonly<Record<string, string>>;

function expanded(name: string, scripts: Scripts, above: ReadonlySet<string>): string {
  const seen = new Set([...above, name]);
  return [`pre${name}`, name, `post${name}`]
    .flatMap((each) => (each in scripts ? [inlined(scripts[each] ?? '', scripts, seen)] : []))
    .join(' && ');
}

function inlined(text: string, scripts: Scripts, seen: ReadonlySet<string>): string {
  const replacement = (whole: string, written: string): string => {
    const called = wordsOf(written).flatMap((name) => scriptsLike(name, scripts));
    if (called.length === 0 || !called.every((name) => name in scripts && !seen.has(name))) return whole;
    const [first = '', ...others] = called.map((name) => `( ${expanded(name, scripts, seen)} )`);
    return others.length === 0 ? first : `( ${[first, ...others].join(' && ')} )`;
  };
  return text
    .replaceAll(RUNS_PACKAGE, '')
    .replaceAll(RUNS_SCRIPT, (whole, _silent: string, called: string) => replacement(whole, called))
    .replaceAll(RUNS_SCRIPTS, replacement);
}
