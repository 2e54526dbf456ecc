import { parse } from 'smol-toml';
import { z } from 'zod';
import { firstText } from '../text/first-last.ts';
import { normalName } from './requirements.ts';

const included = z.looseObject({ 'include-group': z.string() });
const pyprojectSchema = z.looseObject({
  project: z
    .looseObject({
      name: z.string(),
      version: z.string().optional(),
      dependencies: z.array(z.string()).default([]),
      'optional-dependencies': z.record(z.string(), z.array(z.string())).default({}),
      dynamic: z.array(z.string()).default([]),
    })
    .optional(),
  'dependency-groups': z.record(z.string(), z.array(z.union([z.string(), included, z.looseObject({})]))).default({}),
});
/** PDM's own place for the groups of development. */
const pdmSchema = z.looseObject({
  tool: z.looseObject({
    pdm: z.looseObject({ 'dev-dependencies': z.record(z.string(), z.array(z.string())) }),
  }),
});
type Pyproject = z.infer<typeof pyprojectSchema>;

/** The package lists of a pyproject.toml. */
export interface PythonProject {
  readonly name: string | null;
  readonly version: string | null;
  /** By the name of the list: `dependencies`, `optional-dependencies.test`, `dependency-groups.dev`. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Whether the dependencies are known only after a build of the project. */
  readonly isDynamic: boolean;
}

export type PyprojectOutcome =
  { readonly kind: 'project'; readonly project: PythonProject } | { readonly kind: 'unreadable'; readonly why: string };

const DEPENDENCIES = 'dependencies';
const DEVELOPMENT = 'dependency-groups.dev';
/** Extras and groups that tests and checks need. Others, such as documentation, can conflict with each other. */
const FOR_TESTS = /^(?:dev|develop|development|tests?|testing|unit-?tests?|pytest|typing|types|lint)$/;

/** Reads the package lists of pyproject.toml. Pure. */
export function readPyproject(text: string): PyprojectOutcome {
  const read = readDocument(text);
  if (typeof read === 'string') return { kind: 'unreadable', why: read };
  const { project, 'dependency-groups': groups } = read;
  const lists = new Map<string, readonly string[]>();
  if (project !== undefined) lists.set(DEPENDENCIES, project.dependencies.map(withoutBrackets));
  for (const [name, listed] of Object.entries(project?.['optional-dependencies'] ?? {}))
    lists.set(`optional-dependencies.${name}`, listed.map(withoutBrackets));
  for (const name of Object.keys(groups))
    lists.set(`dependency-groups.${name}`, groupOf(groups, name, new Set()).map(withoutBrackets));
  const { data: ofPdm } = pdmSchema.safeParse(read);
  for (const [name, listed] of Object.entries(ofPdm?.tool.pdm['dev-dependencies'] ?? {}))
    lists.set(`tool.pdm.dev-dependencies.${name}`, listed.map(withoutBrackets));
  const isDynamic = project?.dynamic.includes(DEPENDENCIES) ?? false;
  return {
    kind: 'project',
    project: { name: project?.name ?? null, version: project?.version ?? null, lists, isDynamic },
  };
}

/** The lists to install: those that the project and its tests need. Pure. */
export function installedLists({ lists, name }: PythonProject): ReadonlyMap<string, readonly string[]> {
  const wanted = [...lists.keys()].filter((list) => list === DEPENDENCIES || FOR_TESTS.test(list.replace(/^.*\./, '')));
  const found = new Map<string, readonly string[]>();
  // An extra can refer to others of the project itself: `name[test,cli]`.
  for (let list = wanted.shift(); list !== undefined; list = wanted.shift()) {
    if (found.has(list)) continue;
    const listed = lists.get(list) ?? [];
    const own = listed.map((each) => extrasOf(each, name));
    found.set(
      list,
      listed.filter((_, index) => own[index] === null),
    );
    wanted.push(...own.flatMap((extras) => extras ?? []).map((extra) => `optional-dependencies.${extra}`));
  }
  return found;
}

/** The text with one more requirement, for the project or for development; null if no place for it is found. Pure. */
export function withRequirement(text: string, requirement: string, dev: boolean): string | null {
  const list = dev ? DEVELOPMENT : DEPENDENCIES;
  const [table, key] = dev ? ['dependency-groups', 'dev'] : ['project', DEPENDENCIES];
  const before = readPyproject(text);
  if (before.kind === 'unreadable') return null;
  const line = JSON.stringify(requirement);
  const changed = before.project.lists.has(list) ? inArray(text, { table, key, line }) : null;
  const candidate = changed ?? inTable(text, { table, key, line });
  const after = readPyproject(candidate);
  // Whatever the notation of the list: no other value may have changed.
  const expected = [...(before.project.lists.get(list) ?? []), requirement];
  const isRight =
    after.kind === 'project' &&
    JSON.stringify(after.project.lists.get(list)) === JSON.stringify(expected) &&
    restOf(candidate, requirement) === restOf(text, requirement);
  return isRight ? candidate : null;
}

/** Whether two texts are equal apart from their package lists. Pure. */
export function onlyRequirementsDiffer(before: string, after: string): boolean {
  const [one, other] = [restOf(before), restOf(after)];
  return one !== null && one === other;
}

/** The document without its package lists, or without one requirement in them; null if it cannot be read. */
function restOf(text: string, requirement?: string): string | null {
  const read = readDocument(text);
  if (typeof read === 'string') return null;
  const without = (listed: readonly unknown[] = []): readonly unknown[] =>
    requirement === undefined ? [] : listed.filter((each) => each !== requirement);
  const project = { ...read.project, [DEPENDENCIES]: without(read.project?.dependencies) };
  const groups = Object.entries(read['dependency-groups']).map(([name, listed]) => [name, without(listed)] as const);
  const kept = groups.filter(([, listed]) => requirement === undefined || listed.length > 0);
  const rest = { ...read, project, 'dependency-groups': requirement === undefined ? {} : Object.fromEntries(kept) };
  return JSON.stringify(rest, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

interface Place {
  readonly table: string;
  readonly key: string;
  readonly line: string;
}

/** Adds the last entry of the array in its own notation: on one line, or each entry on a line of its own. */
function inArray(text: string, { table, key, line }: Place): string | null {
  const header = headerOf(table).exec(text);
  if (header === null) return null;
  const from = header.index + header[0].length;
  const opening = new RegExp(String.raw`^[ \t]*${key}[ \t]*=[ \t]*\[`, 'm').exec(text.slice(from));
  if (opening === null) return null;
  const start = from + opening.index + opening[0].length;
  const array = readArray(text, start);
  if (array === null) return null;
  const { end, lastEntry, endsWithComma } = array;
  const listed = text.slice(0, lastEntry);
  const rest = text.slice(lastEntry, end);
  const after = text.slice(end);
  const comma = lastEntry === start ? '' : ',';
  if (!text.slice(start, end).includes('\n'))
    return `${listed}${comma}${comma && ' '}${line}${rest.replace(',', '')}${after}`;
  const indent = /\n([ \t]*)["'{]/.exec(text.slice(start, end))?.[1] ?? '  ';
  const [, comments = '', tail = ''] = /^([^]*?)(\n?[ \t]*)$/.exec(rest) ?? [];
  // A comment after the last entry keeps its line.
  return `${listed}${endsWithComma ? '' : comma}${comments}\n${indent}${line},${tail.startsWith('\n') ? tail : '\n'}${after}`;
}

/** Adds a list at the end of its table; a missing table is created. */
function inTable(text: string, { table, key, line }: Place): string {
  const entry = `${key} = [\n  ${line},\n]\n`;
  const header = headerOf(table).exec(text);
  if (header === null) return `${text}${text.endsWith('\n') || text === '' ? '' : '\n'}\n[${table}]\n${entry}`;
  const start = header.index + header[0].length;
  const next = /^[ \t]*\[/m.exec(text.slice(start));
  const body = text.slice(start, next === null ? undefined : start + next.index).trimEnd();
  const at = start + body.length;
  const rest = text.slice(at);
  return `${text.slice(0, at)}${body === '' ? '' : '\n'}${entry}${rest.replace(/^\r?\n/, '')}`;
}

function headerOf(table: string): RegExp {
  return new RegExp(String.raw`^[ \t]*\[[ \t]*${table}[ \t]*\][ \t]*(?:#.*)?\r?\n`, 'm');
}

interface ArrayEnds {
  /** The position of the closing bracket. */
  readonly end: number;
  /** The position after the last entry, or after the opening bracket. */
  readonly lastEntry: number;
  readonly endsWithComma: boolean;
}

/** Finds the end of an array whose entries begin at `start`. Brackets in texts and comments do not count. */
function readArray(text: string, start: number): ArrayEnds | null {
  const token = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[\]{},]/g;
  token.lastIndex = start;
  let depth = 1;
  let lastEntry = start;
  let endsWithComma = false;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [sign] = found;
    if (sign.startsWith('#')) continue;
    if (sign === '[' || sign === '{') depth += 1;
    if (sign === ']' || sign === '}') depth -= 1;
    if (depth === 0) return { end: found.index, lastEntry, endsWithComma };
    endsWithComma = sign === ',' && depth === 1;
    if (!endsWithComma) lastEntry = token.lastIndex;
  }
  return null;
}

function readDocument(text: string): Pyproject | string {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    return `it is no TOML: ${error instanceof Error ? firstText(error.message.split('\n', 1)) : String(error)}`;
  }
  const parsed = pyprojectSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as it should be'}`;
}

function groupOf(groups: Pyproject['dependency-groups'], name: string, seen: ReadonlySet<string>): string[] {
  const entry = Object.entries(groups).find(([each]) => normalName(each) === normalName(name));
  if (entry === undefined || seen.has(entry[0])) return [];
  const more = new Set([...seen, entry[0]]);
  return entry[1].flatMap((each) => {
    if (typeof each === 'string') return [each];
    const other = each['include-group'];
    return typeof other === 'string' ? groupOf(groups, other, more) : [];
  });
}

/** The extras of the project itself that a requirement names; null if it names another package. */
function extrasOf(requirement: string, project: string | null): readonly string[] | null {
  const [, name = '', extras] = /^([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?/.exec(requirement.trim()) ?? [];
  if (project === null || normalName(name) !== normalName(project)) return null;
  return (extras ?? '').split(',').map((each) => each.trim());
}

/** `name (>=1,<2)` is an older form of `name >=1,<2`. */
function withoutBrackets(requirement: string): string {
  return requirement.trim().replace(/^([A-Za-z0-9._-]+(?:\s*\[[^\]]*\])?)\s*\(([^)]*)\)/, '$1 $2');
}
