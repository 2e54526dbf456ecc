import { posix } from 'node:path';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { collectsInProject, filesByPart } from './command-parts.ts';
import type { TestPart } from './command-parts.ts';
import { describePattern } from './describe-command.ts';
import { requireRunner } from './registry.ts';
import type { Runner } from './runner.ts';

const GLOB = /[*?{}[\]()!]/;

/**
 * Returns a text for the model: which names the runners of these files collect, and a name for each file that was not
 * collected.
 */
export function explainNotCollected(command: TestCommand, files: readonly string[]): string {
  const groups = files.length === 0 ? [{ part: command, files }] : filesByPart(command, files);
  return groups.map(({ part, files: own }) => explainPart(part, own)).join(' ');
}

function explainPart(command: TestPart, files: readonly string[]): string {
  const runner = requireRunner(command.runner);
  const names = files
    .filter((file) => !collectsInProject(command, file))
    .flatMap((file) => {
      const name = collectedName(runner, command, file);
      return name === null ? [] : [`${name} in place of ${file}`];
    });
  const where = command.cwd === '' ? '' : ` below ${command.cwd}`;
  const pattern = `${command.runner} collects ${describePattern(command) ?? 'nothing'}${where}`;
  const others = files.flatMap((file) =>
    collectsInProject(command, file) ? (runner.whyNotRun?.(posix.relative(command.cwd, file)) ?? []) : [],
  );
  const advice = others.map((each) => ` ${each}.`).join('');
  return `${names.length === 0 ? `${pattern}.` : `${pattern}: ${names.join(', ')}.`}${advice}`;
}

/**
 * A path for the same test that the runner collects, similar to its present path; null if no simple change is enough.
 */
function collectedName(runner: Runner, command: TestPart, path: string): string | null {
  const below = posix.relative(command.cwd, path);
  const { dir, base, name, ext } = posix.parse(below.startsWith('../') ? posix.basename(path) : below);
  // Probably a directory.
  if (ext === '') return null;
  const stem = name.replace(/^tests?[_-]|[._-](?:tests?|spec)$/g, '');
  const own = runner.namedBy(command);
  const names = [
    runner.fileName(stem, ext),
    ...own.map((pattern) => posix.basename(pattern).replace('*', stem)).filter((each) => !GLOB.test(each)),
    base,
  ];
  const directories = [dir, ...own.flatMap((pattern) => [posix.join(startOf(pattern), dir), startOf(pattern)])];
  const paths = directories.flatMap((directory) => names.map((each) => posix.join(directory, each)));
  const found = paths.find((each) => runner.collects(each, command));
  return found === undefined ? null : posix.join(command.cwd, found);
}

/** Returns the directory in which a pattern starts: the segments before the first wildcard. */
export function startOf(pattern: string): string {
  const segments = pattern.split('/');
  const end = segments.findIndex((segment) => GLOB.test(segment) || segment.includes('.'));
  return segments.slice(0, end === -1 ? segments.length : end).join('/');
}
