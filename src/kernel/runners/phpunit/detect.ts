import { z } from 'zod';
import { ownValue } from '../../../lib/own-value.ts';
import { parseJson } from '../../../lib/parse-json.ts';
import type { ProjectFiles, Sign } from '../runner.ts';
import { settingsFile, suiteGlobs } from './settings.ts';

/** Options whose value is a file: flag -> long name. */
const VALUED: Readonly<Record<string, string>> = {
  '-c': 'configuration',
  '--configuration': 'configuration',
  '--bootstrap': 'bootstrap',
};

const PACKAGE = 'phpunit/phpunit';
const DIRECTORIES = ['tests', 'test', 'Tests', ''];
const script = z.union([z.string(), z.array(z.string())]);
const manifestSchema = z.object({
  require: z.record(z.string(), z.unknown()).catch({}),
  'require-dev': z.record(z.string(), z.unknown()).catch({}),
  scripts: z.record(z.string(), z.unknown()).catch({}),
});

/** Detects a Composer script that starts PHPUnit, a dependency on it, its settings, or its tests. */
export function detectPhpunit(project: ProjectFiles): Sign | null {
  const manifest = manifestSchema.safeParse(parseJson(project.text('composer.json')));
  const settings = settingsFile(project);
  const commands = manifest.success ? commandsOf(manifest.data.scripts) : [];
  const started = commands.findIndex(({ words }) => startsPhpunit(words) !== null);
  const options = started === -1 ? [] : (startsPhpunit(commands[started]?.words ?? []) ?? []);
  const named = options.find((arg) => arg.startsWith('--configuration='))?.slice('--configuration='.length) ?? settings;
  const globs =
    options.some((arg) => !arg.startsWith('-')) || named === undefined ? [] : suiteGlobs(project.text(named));
  const args = [...options, ...globs];
  if (started !== -1)
    return {
      strength: 'script',
      position: started,
      because: `"${commands[started]?.name ?? ''}" in composer.json starts it`,
      args,
    };
  const declares = manifest.success && (PACKAGE in manifest.data['require-dev'] || PACKAGE in manifest.data.require);
  if (declares) return { strength: 'declared', because: 'composer.json names it', args };
  if (project.text('composer.lock').includes(`"name": "${PACKAGE}"`))
    return { strength: 'declared', because: 'composer.lock names it', args };
  if (settings !== undefined) return { strength: 'tests', because: `there is ${settings}`, args };
  const test = DIRECTORIES.flatMap((directory) =>
    project.names(directory).map((name) => (directory === '' ? name : `${directory}/${name}`)),
  ).find((path) => path.endsWith('Test.php') && /\bPHPUnit\b/.test(project.text(path)));
  return test === undefined ? null : { strength: 'tests', because: `${test} uses it`, args };
}

/** The commands of all scripts in order, as words. */
function commandsOf(scripts: Readonly<Record<string, unknown>>): { name: string; words: string[] }[] {
  return Object.entries(scripts).flatMap(([name, written]) => {
    const parsed = script.safeParse(written);
    const commands = parsed.success ? [parsed.data].flat() : [];
    return commands.flatMap((each) => each.split(/&&|;/)).map((each) => ({ name, words: each.trim().split(/\s+/) }));
  });
}

/** The arguments that say which files run and how; null if the command starts something else. */
function startsPhpunit(words: readonly string[]): string[] | null {
  const at = words.findIndex((word) => /(?:^|\/)phpunit$/.test(word));
  if (
    at === -1 ||
    words.slice(0, at).some((word) => !/^(?:@?php|-d.*|[\w.]+=\S*|XDEBUG_MODE=\S+|@composer|exec|--)$/.test(word))
  )
    return null;
  const rest = words.slice(at + 1);
  return rest.flatMap((word, index) => {
    const before = rest[index - 1] ?? '';
    const option = ownValue(VALUED, before);
    if (option !== undefined) return [`--${option}=${word.replace(/^\.\//, '')}`];
    if (word.startsWith('--configuration=') || word.startsWith('--bootstrap=')) return [word];
    return /^[\w./-]+$/.test(word) && !word.startsWith('-') && !/^--?[\w-]+$/.test(before)
      ? [word.replace(/^\.\/|\/$/g, '')]
      : [];
  });
}
