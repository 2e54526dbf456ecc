import { posix } from 'node:path';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { partsOf } from '../runners/command-parts.ts';
import { loadedFirst } from '../runners/loaded-first.ts';

/** Options that load a module. Their value can be a directory (its index file is loaded) or leave out the extension. */
const LOADS = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--preload']);

const GLOB = /[*?[\]{}]/;

/**
 * Returns whether the test command names a path, or its runner loads the path before any test. Examples: a file
 * preloaded with `--import`, `--require` or `--loader`, a configuration file, an environment file. Such a file decides
 * what a test run does. `projectRoot` is absolute; paths are project-relative. Globs are ignored: they name test files,
 * which have gates of their own. Directories of test discovery are not files, so they never match.
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

/** The paths that a value can mean. `package.plugin`, the name of a Python module, can mean `package/plugin`. */
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
