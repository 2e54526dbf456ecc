import { posix } from 'node:path';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { partsOf } from '../runners/command-parts.ts';
import { loadedFirst } from '../runners/loaded-first.ts';

/** Options whose value is a module to load: a directory stands for its index file, and extensions may be left out. */
const LOADS = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--preload']);

const GLOB = /[*?[\]{}]/;

/**
 * Whether a path is one that the test command itself names (a file preloaded with `--import`, `--require` or `--loader`, a configuration or environment
 * file), or one that its runner loads before any test. Such a file decides what a test run is. `projectRoot` is absolute; paths are project-relative.
 * Globs name test files, which have gates of their own; directories of test discovery are no files and so never match.
 */
export function namedByCommand(command: TestCommand | null, projectRoot: string): (path: string) => boolean {
  if (command === null) return () => false;
  const files = new Set<string>();
  const modules = new Set<string>();
  for (const { args, cwd } of partsOf(command)) {
    for (const { value, loaded } of valuesOf(args)) {
      for (const spelling of spellingsOf(value)) {
        const path = inProject(spelling, cwd, projectRoot);
        if (path === null) continue;
        files.add(path);
        if (loaded) modules.add(path);
      }
    }
  }
  const isLoadedFirst = loadedFirst(command);
  return (path) => {
    if (isLoadedFirst(path)) return true;
    const { dir, name, base } = posix.parse(path);
    const bare = posix.join(dir, name);
    return files.has(path) || files.has(bare) || (modules.has(dir) && (name === 'index' || base === 'package.json'));
  };
}

function valuesOf(args: readonly string[]): { readonly value: string; readonly loaded: boolean }[] {
  return args.flatMap((arg, place) => {
    const [flag = '', inline] = arg.startsWith('-') ? arg.split(/=(.*)/s) : ['', arg];
    if (inline === undefined) return [];
    const before = args[place - 1] ?? '';
    return [{ value: inline, loaded: LOADS.has(flag) || (flag === '' && LOADS.has(before)) }];
  });
}

/** A value as a path; `package.plugin`, as Python names a module, is one too. */
function spellingsOf(value: string): string[] {
  if (value === '' || GLOB.test(value)) return [];
  const path = value.startsWith('file://') ? decodeURIComponentSafely(value.slice('file://'.length)) : value;
  return /^\w+(\.\w+)+$/.test(path) ? [path, path.replaceAll('.', '/')] : [path];
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function inProject(path: string, cwd: string, projectRoot: string): string | null {
  const absolute = posix.resolve(projectRoot, cwd, path);
  const relative = posix.relative(projectRoot, absolute);
  return relative === '' || relative.startsWith('..') ? null : relative;
}
