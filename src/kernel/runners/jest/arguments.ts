import { posix } from 'node:path';
import type { Words } from '../command-words.ts';
import { commandFlags, indexOfProgram, nodeFlags } from '../javascript/command-flags.ts';
import type { FlagForm } from '../javascript/command-flags.ts';
import { sourceTokens } from '../javascript/source-tokens.ts';
import type { Token } from '../javascript/source-tokens.ts';
import { loadedByConfig } from '../javascript/loaded-by-config.ts';
import { stringsAtKey } from '../javascript/strings-at-key.ts';
import { namingOf } from './read-projects.ts';

const FLAGS: FlagForm = {
  short: { '-c': '--config' },
  kept: new Set(['--config', '--rootDir', '--env', '--preset']),
  bare: new Set(),
  dropped: new Set([
    ...['--testNamePattern', '-t', '--testPathPatterns', '--testPathPattern', '--maxWorkers', '-w', '--reporters'],
    ...['--coverageDirectory', '--coverageReporters', '--coverageProvider', '--shard', '--seed', '--selectProjects'],
    ...['--changedSince', '--outputFile', '--cacheDirectory', '--testTimeout', '--logHeapUsage', '--bail'],
  ]),
};
const CONFIG_NAMES = ['js', 'ts', 'mjs', 'cjs', 'mts', 'cts', 'json'].map((each) => `jest.config.${each}`);
/** Keys of files that jest loads before the tests. */
const LOADED_BY_JEST: readonly string[] = [
  ...['setupFiles', 'setupFilesAfterEnv', 'globalSetup', 'globalTeardown', 'resolver', 'testEnvironment', 'transform'],
  ...['snapshotSerializers', 'snapshotResolver', 'reporters', 'runner', 'testRunner', 'testSequencer', 'preset'],
  ...['dependencyExtractor', 'hasteImplModulePath', 'prettierPath', 'filter', 'watchPlugins'],
];

/**
 * Returns the arguments for a project that runs jest with these words: its settings, files that its configuration
 * loads, then globs of test files. `textOf` reads a file below the directory of the command; '' if it does not exist.
 */
export function jestArguments(words: Words, textOf: (path: string) => string): string[] {
  const { flags } = commandFlags(words.slice(indexOfProgram(words, 'jest', 'jest.js') + 1), FLAGS);
  const named = flags.find((flag) => flag.startsWith('--config='))?.slice('--config='.length);
  const tokens = configTokens(named, textOf);
  const root = stringsAtKey(tokens, 'rootDir')?.[0] ?? '';
  const directory = posix.dirname(named ?? '');
  const loaded = loadedByConfig(tokens, LOADED_BY_JEST, { root, directory });
  const { globs, regexes } = namingOf(tokens);
  return [...nodeFlags(words), ...flags, ...loaded, ...regexes.map((each) => `--testRegex=${each}`), ...globs];
}

/** The tokens of the project's configuration. Nothing is executed. */
function configTokens(named: string | undefined, textOf: (path: string) => string): readonly Token[] {
  for (const path of named === undefined ? CONFIG_NAMES : [named]) {
    const text = textOf(path);
    if (text !== '') return sourceTokens(text);
  }
  try {
    const manifest = JSON.parse(textOf('package.json')) as { readonly jest?: unknown };
    return sourceTokens(JSON.stringify(manifest.jest ?? {}));
  } catch {
    return [];
  }
}
