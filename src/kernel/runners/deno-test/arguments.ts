import { ownValue } from '../../../lib/own-value.ts';
import type { Words } from '../command-words.ts';
import { commandFlags, indexOfProgram } from '../javascript/command-flags.ts';
import type { FlagForm } from '../javascript/command-flags.ts';
import type { DenoConfig } from './config.ts';

const PERMISSIONS = ['read', 'write', 'net', 'env', 'sys', 'run', 'ffi', 'import'];
/**
 * Permissions, and flags for how modules are found. Flags that select tests or change the output are left out. A value
 * follows `=`.
 */
const BARE = new Set([
  ...['--allow-all', '--no-config', '--no-remote', '--no-npm', '--trace-leaks', '--sanitize-ops'],
  ...['--sanitize-resources', '--no-lock'],
]);
const FORM: FlagForm = {
  short: { '-A': '--allow-all', '-c': '--config' },
  kept: new Set([
    ...BARE,
    ...['--config', '--import-map', '--preload', '--require', '--location', '--seed', '--conditions', '--env-file'],
  ]),
  bare: BARE,
  dropped: new Set(['--filter', '--reporter', '--junit-path', '--cert', '--ext', '--shard', '--related', '--retry']),
};
const SHORT_PERMISSIONS: Readonly<Record<string, string>> = {
  ...{ '-R': '--allow-read', '-W': '--allow-write', '-N': '--allow-net', '-E': '--allow-env', '-S': '--allow-sys' },
  ...{ '-I': '--allow-import', '-P': '--permission-set' },
};
/** Flags whose optional value always follows `=`. */
const INLINE = new RegExp(
  `^--(?:(?:allow|deny|ignore)-(?:${PERMISSIONS.join('|')})|permission-set|unstable-[a-z-]+|node-modules-dir|vendor|v8-flags|lock|ignore)(?:=|$)`,
);

/** Returns the arguments of a `deno test` command, or null for another command. */
export function denoTestArguments(words: Words, config: DenoConfig | null): string[] | null {
  const at = indexOfProgram(words, 'deno');
  if (at === -1 || words[at + 1] !== 'test') return null;
  const given = words.slice(at + 2).map(longPermission);
  const { flags, positional } = commandFlags(
    given.filter((word) => !INLINE.test(word)),
    FORM,
  );
  const own = configArguments(config);
  const loaded = own.filter((arg) => arg.startsWith('-') && !flags.some((flag) => flag.startsWith('--import-map=')));
  const named = positional.length > 0 ? positional : own.filter((arg) => !arg.startsWith('-'));
  return [...given.filter((word) => INLINE.test(word)), ...flags, ...loaded, ...named];
}

/** Returns the arguments for a project without a command that starts Deno. */
export function configArguments(config: DenoConfig | null): string[] {
  const { importMap, include = [] } = config ?? {};
  return [...(importMap === undefined ? [] : [`--import-map=${importMap}`]), ...include];
}

function longPermission(word: string): string {
  const [flag = '', value] = word.split(/=(.*)/s);
  const long = ownValue(SHORT_PERMISSIONS, flag);
  return long === undefined ? word : value === undefined ? long : `${long}=${value}`;
}
