import { posix } from 'node:path';
import { ownValue } from '../../../lib/own-value.ts';
import type { Words } from '../command-words.ts';
import { loadedByConfig } from '../javascript/loaded-by-config.ts';
import { sourceTokens } from '../javascript/source-tokens.ts';
import { readVitestConfig } from './read-config.ts';

const SHORT: Readonly<Record<string, string>> = { '-c': '--config', '-r': '--root' };
/** Flags for how the project is set up. Flags that select tests or change the output are left out. */
const KEPT = new Set(['--config', '--root', '--mode', '--environment', '--pool', '--globals']);
/** Configuration keys of files that vitest loads before the tests. */
const LOADED_BY_VITEST: readonly string[] = [
  ...['setupFiles', 'globalSetup', 'environment', 'snapshotSerializers', 'snapshotEnvironment', 'runner', 'reporters'],
  ...['sequencer', 'diff', 'extends'],
];
const EXTENSIONS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const CONFIG_NAMES = ['vitest.config', 'vite.config'].flatMap((name) => EXTENSIONS.map((each) => `${name}.${each}`));

/**
 * Returns the arguments for a project that runs vitest with these words: its settings, then globs of test files.
 * `textOf` reads a file below the directory of the command; '' if it does not exist.
 */
export function vitestArguments(words: Words, textOf: (path: string) => string): string[] {
  const settings = settingsOf(words);
  const root = settings.get('--root') ?? '';
  const named = settings.get('--config') ?? null;
  const candidates = (named === null ? CONFIG_NAMES : [named]).map((name) => posix.join(root, name));
  const flags = [...settings].map(([name, value]) => (value === null ? name : `${name}=${value}`));
  for (const path of candidates) {
    const text = textOf(path);
    if (text === '') continue;
    const config = readVitestConfig(text);
    const start = posix.join(root, config.root ?? '');
    const places = { root: start, directory: posix.dirname(path) };
    const loaded = loadedByConfig(sourceTokens(text), LOADED_BY_VITEST, places);
    return [...flags, ...loaded, ...config.include.map((glob) => posix.join(start, glob))];
  }
  return flags;
}

function settingsOf(words: Words): Map<string, string | null> {
  const found = new Map<string, string | null>();
  const after = words.findIndex((word) => /(?:^|\/)vitest$/.test(word)) + 1;
  for (let index = after; index < words.length; index += 1) {
    const [flag = '', inline] = (words[index] as string).split(/=(.*)/s);
    const name = ownValue(SHORT, flag) ?? flag;
    if (!KEPT.has(name)) continue;
    if (name === '--globals') found.set(name, inline ?? null);
    else found.set(name, inline ?? words[(index += 1)] ?? null);
  }
  return found;
}
