import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { Words } from '../command-words.ts';
import { plainEnvironment, shellWords } from '../plain-command.ts';
import type { PlainCheck, PlainCommand, PlainProject } from '../plain-command.ts';
import { SCRIPTS, readManifestText } from './package-signs.ts';
import { scriptCommands } from './script-commands.ts';

/** Scripts that make what the tests need, in the order in which they are looked for. */
const BUILD_SCRIPTS = ['build', 'compile', 'prepare', 'generate'];

/** Names that scripts have which look at types, style and format. */
const CHECK_SCRIPTS = [
  ...['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc'],
  ...['lint', 'format:check', 'format-check', 'check-format', 'check:format', 'prettier:check'],
];
const WRITES = /\s--(?:fix|write)\b/;

const RUNS_SCRIPT =
  /\b(?:npm|pnpm|yarn)((?:\s+(?:-s|--silent))*)(?:\s+run(?:-script)?)?(?:\s+(?:-s|--silent))*\s+([\w:.-]+)(?!\s+--)/g;
const RUNS_PACKAGE = /\bnpx(?:\s+(?:-y|--yes|--no|--no-install))*\s+/g;

/**
 * The package script that starts this runner, as npm runs it: with the scripts before and after it, and with those that it calls by name in their place,
 * since a sandbox has no npm. Where none does, `words`.
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
    script: name === undefined ? shellWords(words) : expanded(name, scripts, new Set()),
    build: build === undefined ? null : { words: `npm run ${build}`, script: expanded(build, scripts, new Set()) },
    env: packageEnvironment(command, projectRoot),
    image: 'node',
  };
}

/** The scripts of a package that judge its sources and change nothing. */
export function packageChecks(command: TestCommand, { projectRoot, manifest }: PlainProject): PlainCheck[] {
  const scripts = readManifestText(manifest)?.scripts ?? {};
  return CHECK_SCRIPTS.filter((name) => name in scripts).flatMap((name) => {
    const script = expanded(name, scripts, new Set());
    if (WRITES.test(script)) return [];
    return [
      { words: `npm run ${name}`, script, env: packageEnvironment(command, projectRoot), image: 'node' as const },
    ];
  });
}

function packageEnvironment({ cwd }: TestCommand, projectRoot: string): PlainCommand['env'] {
  const homes = [...new Set([cwd === '' ? projectRoot : `${projectRoot}/${cwd}`, projectRoot])];
  return plainEnvironment(homes.map((home) => `${home}/node_modules/.bin`));
}

function expanded(name: string, scripts: Readonly<Record<string, string>>, above: ReadonlySet<string>): string {
  const seen = new Set([...above, name]);
  const inline = (text: string): string =>
    text
      .replaceAll(RUNS_PACKAGE, '')
      .replaceAll(RUNS_SCRIPT, (whole, _silent: string, called: string) =>
        called in scripts && !seen.has(called) ? `( ${expanded(called, scripts, seen)} )` : whole,
      );
  return [`pre${name}`, name, `post${name}`]
    .flatMap((each) => (each in scripts ? [inline(scripts[each] ?? '')] : []))
    .join(' && ');
}
