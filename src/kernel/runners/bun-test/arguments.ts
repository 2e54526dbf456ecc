import type { Words } from '../command-words.ts';
import { commandFlags, indexOfProgram } from '../javascript/command-flags.ts';
import type { FlagForm } from '../javascript/command-flags.ts';
import { sourceTokens } from '../javascript/source-tokens.ts';

const FLAGS: FlagForm = {
  short: { '-r': '--preload', '--require': '--preload', '--import': '--preload', '-c': '--config', '-d': '--define' },
  kept: new Set([
    ...['--preload', '--config', '--define', '--conditions', '--tsconfig-override', '--env-file', '--timeout'],
    ...['--smol', '--max-concurrency', '--path-ignore-patterns'],
  ]),
  bare: new Set(['--smol']),
  dropped: new Set([
    ...['--test-name-pattern', '-t', '--reporter', '--reporter-outfile', '--coverage-reporter', '--coverage-dir'],
    ...['--bail', '--rerun-each', '--retry', '--seed', '--shard', '--changed', '--parallel-delay', '--timings'],
  ]),
};
/**
 * A flag for each file that `bunfig.toml` loads before the tests. It only records the file and is not passed to Bun.
 */
export const LOADED_BY_BUNFIG = '--test.preload';

/** Returns the arguments of a `bun test` command, or null for another command. Nothing is executed. */
export function bunTestArguments(words: Words, textOf: (path: string) => string): string[] | null {
  const at = indexOfProgram(words, 'bun');
  const rest = words.slice(at + 1);
  const test = rest.findIndex((word) => !word.startsWith('-'));
  if (at === -1 || rest[test] !== 'test') return null;
  const { flags, positional } = commandFlags(rest.toSpliced(test, 1), FLAGS);
  const config = flags.find((flag) => flag.startsWith('--config='))?.slice('--config='.length);
  return argumentsOf({ flags, positional }, textOf(config ?? 'bunfig.toml'));
}

/** Returns the arguments for a project without a script that starts Bun. */
export function bunfigArguments(bunfig: string): string[] {
  return argumentsOf({ flags: [], positional: [] }, bunfig);
}

function argumentsOf({ flags, positional }: ReturnType<typeof commandFlags>, bunfig: string): string[] {
  const { preload, root } = testSettings(bunfig);
  const directory = positional.length === 0 && root !== undefined ? [root.replace(/^(?!\.?\/)/, './')] : [];
  return [...flags, ...preload.map((path) => `${LOADED_BY_BUNFIG}=${path}`), ...positional, ...directory];
}

/** The settings in section `[test]`. `preload` before the first section counts too: it applies to every command. */
function testSettings(bunfig: string): { readonly preload: readonly string[]; readonly root: string | undefined } {
  const lines = bunfig.replace(/^[ \t]*#.*$/gm, '');
  const end = lines.search(/^[ \t]*\[/m);
  const section = /^[ \t]*\[test\][ \t]*\r?$([\s\S]*?)(?=^[ \t]*\[|(?![\s\S]))/m.exec(lines)?.[1] ?? '';
  const before = end === -1 ? lines : lines.slice(0, end);
  return {
    preload: [before, section].flatMap((text) => stringsOf(text, 'preload')),
    root: stringsOf(section, 'root')[0],
  };
}

/** The strings that a text assigns to a key: one string or a list. */
function stringsOf(text: string, key: string): string[] {
  const value = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(\\[[^\\]]*\\]|.*$)`, 'm').exec(text)?.[1] ?? '';
  return sourceTokens(value).flatMap((token) => (token.kind === 'string' ? [token.value] : []));
}
