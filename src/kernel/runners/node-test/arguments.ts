import { ownValue } from '../../../lib/own-value.ts';
import type { Words } from '../command-words.ts';

/** Kept flags of `node` whose value may be a separate word. */
const KEPT = new Set([
  '--import',
  '--require',
  '--loader',
  '--experimental-loader',
  '--conditions',
  '--env-file',
  '--test-timeout',
  '--test-global-setup',
]);
const SHORT: Readonly<Record<string, string>> = { '-r': '--require', '-C': '--conditions' };

/** Flags with a value that change the output, select tests, or that the kernel sets itself. */
const DROPPED_WITH_VALUE =
  /^--(?:test-reporter|test-reporter-destination|test-concurrency|(?:experimental-)?test-isolation|test-name-pattern|test-skip-pattern|test-shard|test-coverage-[a-z-]+|watch-path)$/;
const DROPPED =
  /^--(?:test|test-only|test-force-exit|test-update-snapshots|experimental-test-[a-z-]+|watch|watch-preserve-output)$/;

/** Flags of borp with a value. Only its patterns decide what runs. */
const OF_BORP = /^(?:-[pitcXr]|--(?:pattern|ignore|timeout|concurrency|coverage-exclude|reporter))$/;

/** Returns the arguments of a `node --test`, `tsx --test` or `borp` command, or null for another command. */
export function nodeTestArguments(words: Words): string[] | null {
  const borp = words.findIndex((word) => /(?:^|\/)borp$/.test(word));
  if (borp !== -1) return borpPatterns(words.slice(borp + 1));
  const at = words.findIndex((word) => /(?:^|\/)(?:node|tsx)$/.test(word));
  if (at === -1 || !words.includes('--test', at)) return null;
  const args: string[] = words[at]?.endsWith('tsx') === true ? ['--import=tsx'] : [];
  for (let index = at + 1; index < words.length; index += 1) {
    const [flag = '', inline] = (words[index] as string).split(/=(.*)/s);
    const name = ownValue(SHORT, flag) ?? flag;
    if (!name.startsWith('-')) args.push(words[index] as string);
    else if (DROPPED_WITH_VALUE.test(name)) index += inline === undefined ? 1 : 0;
    else if (DROPPED.test(name)) continue;
    else if (!KEPT.has(name)) args.push(words[index] as string);
    else if (inline !== undefined) args.push(`${name}=${inline}`);
    else args.push(`${name}=${words[(index += 1)] ?? ''}`);
  }
  return args;
}

/** borp runs tests of node:test, and names their files by `-p` or as words. */
function borpPatterns(words: Words): string[] {
  const patterns: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [flag = '', inline] = (words[index] as string).split(/=(.*)/s);
    const value = OF_BORP.test(flag) && inline === undefined ? words[(index += 1)] : inline;
    if (!flag.startsWith('-')) patterns.push(words[index] as string);
    else if (/^(?:-p|--pattern)$/.test(flag) && value !== undefined) patterns.push(value);
  }
  return patterns;
}
