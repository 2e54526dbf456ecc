import { ownValue } from '../../../lib/own-value.ts';

/** An overview of a project's files. */
export interface Layout {
  readonly files: number;
  /** Whether the list of files was cut. */
  readonly hasMore: boolean;
  /** Languages with their number of files, most frequent first. */
  readonly languages: readonly (readonly [name: string, files: number])[];
  readonly manifests: readonly string[];
  readonly entryPoints: readonly string[];
  readonly tree: readonly string[];
}

const MAX_LANGUAGES = 5;
const MAX_NAMED = 10;
const MAX_TREE_LINES = 60;
const MAX_DEPTH = 4;
const MAX_FILES_A_LINE = 8;

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  tsx: 'TypeScript',
  mts: 'TypeScript',
  js: 'JavaScript',
  jsx: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  hpp: 'C++',
  cs: 'C#',
  swift: 'Swift',
  sh: 'Shell',
  sql: 'SQL',
  html: 'HTML',
  css: 'CSS',
};
const MANIFEST =
  /(^|\/)(package\.json|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|deno\.json|Makefile)$/;
const ENTRY_POINT = /^(([^/]+\/){0,3}(main|index|app|cli|server|manage|__main__)\.[a-z]{1,4}|bin\/[^/]+)$/;
const TEST = /(^|[/._-])tests?([/._-]|$)|\.spec\./;

/** `paths` are files, project-relative and sorted. Pure. */
export function projectLayout(paths: readonly string[], hasMore: boolean): Layout {
  return {
    files: paths.length,
    hasMore,
    languages: languagesOf(paths),
    manifests: shallowFirst(paths.filter((path) => MANIFEST.test(path))).slice(0, MAX_NAMED),
    entryPoints: shallowFirst(paths.filter((path) => ENTRY_POINT.test(path) && !TEST.test(path))).slice(0, MAX_NAMED),
    tree: boundedTree(paths),
  };
}

function languagesOf(paths: readonly string[]): Layout['languages'] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = ownValue(LANGUAGES, /\.([a-z]+)$/.exec(path)?.[1] ?? '');
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).slice(0, MAX_LANGUAGES);
}

function shallowFirst(paths: readonly string[]): readonly string[] {
  const depth = (path: string): number => path.split('/').length;
  return [...paths].sort((a, b) => depth(a) - depth(b));
}

interface Directory {
  readonly files: string[];
  readonly directories: Map<string, Directory>;
  /** Number of files in it and below it. */
  total: number;
}

const emptyDirectory = (): Directory => ({ files: [], directories: new Map(), total: 0 });

/** The deepest tree within the limit; at least the first level. */
function boundedTree(paths: readonly string[]): string[] {
  const root = emptyDirectory();
  for (const path of paths) add(root, path.split('/'));
  for (let depth = MAX_DEPTH; depth > 1; depth -= 1) {
    const lines = treeLines(root, depth, '');
    if (lines.length <= MAX_TREE_LINES) return lines;
  }
  const lines = treeLines(root, 1, '');
  const more = lines.length - MAX_TREE_LINES;
  return more > 0 ? [...lines.slice(0, MAX_TREE_LINES), `and ${more} more`] : lines;
}

function add(directory: Directory, parts: readonly string[]): void {
  directory.total += 1;
  const [first = '', ...rest] = parts;
  if (rest.length === 0) {
    directory.files.push(first);
    return;
  }
  const child = directory.directories.get(first) ?? emptyDirectory();
  directory.directories.set(first, child);
  add(child, rest);
}

function treeLines({ files, directories }: Directory, depth: number, indent: string): string[] {
  const below = [...directories].flatMap(([name, child]) => [
    `${indent}${name}/ (${child.total})`,
    ...(depth > 1 ? treeLines(child, depth - 1, `${indent}  `) : []),
  ]);
  return files.length === 0 ? below : [...below, `${indent}${fileLine(files)}`];
}

function fileLine(files: readonly string[]): string {
  const shown = files.slice(0, MAX_FILES_A_LINE).join(' ');
  const more = files.length - MAX_FILES_A_LINE;
  return more > 0 ? `${shown} and ${more} more` : shown;
}
