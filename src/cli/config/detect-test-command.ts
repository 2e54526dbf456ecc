import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { TestCommand } from '../../contracts/session-protocol.ts';

const packageSchema = z.looseObject({
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

/**
 * How a project's tests run, read from its own files, from `cwd` up to the project: nothing is executed. null when there is no sign of a runner.
 */
export async function detectTestCommand(projectRoot: string, cwd: string): Promise<TestCommand | null> {
  const parts = cwd === '' ? [] : cwd.split('/');
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const directory = parts.slice(0, depth).join('/');
    const found = await detectIn(join(projectRoot, directory), directory);
    if (found !== null) return found;
  }
  return null;
}

async function detectIn(path: string, cwd: string): Promise<TestCommand | null> {
  const names = await readdir(path).catch(() => [] as string[]);
  const text = async (name: string) => (names.includes(name) ? readFile(join(path, name), 'utf8').catch(() => '') : '');
  if (names.includes('package.json')) {
    const found = fromPackage(await text('package.json'), names, cwd);
    if (found !== null) return found;
  }
  if (names.includes('go.mod')) return { runner: 'go-test', cwd, args: [] };
  const python = `${await text('pyproject.toml')}${await text('setup.cfg')}${await text('tox.ini')}${await text('requirements-dev.txt')}`;
  if (names.includes('pytest.ini') || names.includes('conftest.py') || /pytest/.test(python)) {
    return { runner: 'pytest', cwd, args: [] };
  }
  const pythonProject = python !== '' || names.includes('setup.py') || names.some((name) => /^test_.*\.py$/.test(name));
  return pythonProject ? { runner: 'unittest', cwd, args: [] } : null;
}

function fromPackage(json: string, names: readonly string[], cwd: string): TestCommand | null {
  let parsed: z.infer<typeof packageSchema>;
  try {
    parsed = packageSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
  const script = parsed.scripts?.['test'] ?? '';
  const depends = { ...parsed.dependencies, ...parsed.devDependencies };
  const nodeTest = nodeTestArguments(script);
  if (nodeTest !== null) return { runner: 'node-test', cwd, args: nodeTest };
  for (const runner of ['vitest', 'jest', 'mocha'] as const) {
    if (new RegExp(`(^|[\\s/])${runner}(\\s|$)`).test(script)) return { runner, cwd, args: [] };
  }
  for (const runner of ['vitest', 'jest', 'mocha'] as const) if (runner in depends) return { runner, cwd, args: [] };
  const hasTests = names.some((name) => name === 'test' || name === 'tests' || /[.-]test\.[cm]?[jt]s$/.test(name));
  return hasTests && Object.keys(depends).length === 0 ? { runner: 'node-test', cwd, args: [] } : null;
}

/** Flags of `node` that take their value as a word of its own. */
const VALUED = new Set(['--import', '--require', '-r', '--loader', '--experimental-loader', '--conditions', '-C']);
/** Flags that only change how the result looks, or that the kernel sets itself. */
const DROPPED = /^--test(?:$|-reporter|-reporter-destination|-concurrency|-force-exit|-isolation)/;

/** Arguments of the `node --test` command in a package script, or null when there is none that can be read without a shell. */
export function nodeTestArguments(script: string): string[] | null {
  const segment = script.split(/&&|;/).find((part) => /(^|\s)node\s.*--test(\s|$)/.test(`${part} `));
  if (segment === undefined || /[|<>`$()]/.test(segment)) return null;
  const words = [...segment.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const args: string[] = [];
  for (let index = words.indexOf('node') + 1; index < words.length; index += 1) {
    const word = words[index] as string;
    if (DROPPED.test(word)) continue;
    if (VALUED.has(word)) {
      args.push(`${word === '-r' ? '--require' : word === '-C' ? '--conditions' : word}=${words[index + 1] ?? ''}`);
      index += 1;
    } else {
      args.push(word);
    }
  }
  return args;
}
