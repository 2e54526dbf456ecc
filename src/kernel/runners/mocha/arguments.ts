import { parseJson } from '../../../lib/parse-json.ts';
import { parseJsonc } from '../../../lib/parse-jsonc.ts';
import { parseYaml } from '../../../lib/parse-yaml.ts';
import type { Words } from '../command-words.ts';
import { commandFlags, indexOfProgram, nodeFlags } from '../javascript/command-flags.ts';
import type { FlagForm } from '../javascript/command-flags.ts';
import { sourceTokens } from '../javascript/source-tokens.ts';
import { stringsAtKey } from '../javascript/strings-at-key.ts';

const FLAGS: FlagForm = {
  short: { '-r': '--require', '-u': '--ui', '-t': '--timeout', '--timeouts': '--timeout', '-n': '--node-option' },
  kept: new Set([
    ...['--require', '--ui', '--timeout', '--config', '--package', '--file', '--extension', '--spec', '--async-only'],
    ...['--recursive', '--import', '--loader', '--experimental-loader', '--conditions', '--node-option'],
  ]),
  bare: new Set(['--recursive', '--async-only']),
  dropped: new Set([
    ...['--grep', '-g', '--fgrep', '-f', '--reporter', '-R', '--reporter-option', '--reporter-options', '-O'],
    ...['--retries', '--jobs', '-j', '--slow', '-s', '--ignore', '--exclude', '--global', '--watch-files'],
  ]),
};
const CONFIG_NAMES = ['js', 'cjs', 'mjs', 'yaml', 'yml', 'jsonc', 'json'].map((each) => `.mocharc.${each}`);
/** Configuration keys for test files and for files that are loaded before them. */
const LISTS = ['spec', 'extension', 'require', 'file', 'import', 'loader', 'node-option'] as const;

interface MochaConfig {
  readonly recursive: boolean;
  list(key: (typeof LISTS)[number]): readonly string[];
}

/**
 * Returns the arguments for a project that runs mocha with these words: flags of Node and mocha, settings of its
 * configuration that decide which files are tests, then globs of the tests. `textOf` reads a file below the directory
 * of the command; '' if it does not exist.
 */
export function mochaArguments(words: Words, textOf: (path: string) => string): string[] {
  const at = indexOfProgram(words, 'mocha', '_mocha', 'mocha.js');
  const { flags, positional } = commandFlags(words.slice(at + 1), FLAGS);
  const value = (name: string): readonly string[] =>
    flags.filter((flag) => flag.startsWith(`--${name}=`)).map((flag) => flag.slice(name.length + 3));
  const config = readConfig(value('config')[0], textOf);
  const specs = [...positional, ...value('spec'), ...config.list('spec')];
  const options = [...value('node-option'), ...config.list('node-option')].map((each) => `--${each}`);
  const configured = (['extension', 'require', 'file', 'import', 'loader'] as const).flatMap((key) =>
    config.list(key).map((each) => `--${key}=${each}`),
  );
  const kept = flags.filter((flag) => !/^--(?:spec|node-option)=/.test(flag));
  const recursive = config.recursive && !kept.includes('--recursive') ? ['--recursive'] : [];
  return [...new Set([...nodeFlags(words), ...options, ...kept, ...configured, ...recursive, ...specs])];
}

function readConfig(named: string | undefined, textOf: (path: string) => string): MochaConfig {
  for (const path of named === undefined ? CONFIG_NAMES : [named]) {
    const text = textOf(path);
    if (text === '') continue;
    if (/\.jsonc?$/.test(path)) return fromObject(parseJsonc(text));
    if (!/\.[cm]?js$/.test(path)) return fromObject(parseYaml(text));
    const tokens = sourceTokens(text);
    const recursive = tokens.findIndex(({ value }) => value === 'recursive');
    return {
      recursive: recursive !== -1 && tokens[recursive + 2]?.value === 'true',
      list: (key) => stringsAtKey(tokens, key) ?? [],
    };
  }
  const manifest = parseJson(textOf('package.json'));
  return fromObject((manifest as { readonly mocha?: unknown } | null)?.mocha);
}

function fromObject(found: unknown): MochaConfig {
  const config = (typeof found === 'object' && found !== null ? found : {}) as Readonly<Record<string, unknown>>;
  return {
    recursive: config['recursive'] === true,
    list: (key) => [config[key]].flat().filter((each) => typeof each === 'string'),
  };
}
