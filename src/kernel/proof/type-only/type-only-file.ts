import type { StrippedSource } from '../../../contracts/ports/strip-types.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import { differenceOfPrograms } from './same-program.ts';

/** One changed file in two versions; null means that the file does not exist. */
export interface FileVersions {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Maximum size of a source, in bytes. */
export const MAX_TYPED_BYTES = 512 * 1024;

const DECLARATIONS = /\.d\.[mc]?ts$/;

/**
 * Pure: returns why a change of this file is not known to change only types, judged by its name and text. In doubt it
 * returns a reason. null means that `differsWithoutTypes` decides.
 */
export function whyNotComparable({ path, before, after }: FileVersions): string | null {
  const noTypes = whyNoTypes(path);
  if (noTypes !== null) return noTypes;
  if ((before === null || after === null) && !DECLARATIONS.test(path)) {
    return 'a new or deleted file can be found by its name; only declarations (.d.ts) can be new or removed';
  }
  const [old, fresh] = [before ?? '', after ?? ''];
  // The values of an enum in a declaration file are written into the code that uses them.
  if (/\benum\b/.test(old) || /\benum\b/.test(fresh)) return 'it has an enum, whose values become code elsewhere too';
  if (firstLine(old) !== firstLine(fresh)) return 'the program that runs it changes (#!)';
  if (pragmas(old).join('\n') !== pragmas(fresh).join('\n')) return 'a comment changes that tools act on';
  return null;
}

/** Pure: returns why types cannot be removed from a file of this name; null if they can. */
export function whyNoTypes(path: string): string | null {
  if (path.endsWith('.tsx')) return 'JSX becomes code by settings of the project, which nothing here follows';
  if (/\.pyi?$/.test(path)) return 'there is no such check for Python, because its annotations exist at run time';
  if (!/\.[mc]?ts$/.test(path)) return 'only TypeScript (.ts, .mts, .cts) has types that can be taken out';
  return null;
}

/** Pure: returns why the file without its types is a different program; null if it is the same program. */
export function differsWithoutTypes(path: string, before: StrippedSource, after: StrippedSource): string | null {
  for (const stripped of [before, after]) if (stripped.kind === 'refused') return stripped.why;
  if (before.kind !== 'ok' || after.kind !== 'ok') return 'it could not be compared';
  return differenceOfPrograms(before.code, after.code, path.endsWith('.cts') ? 'script' : 'module');
}

function firstLine(text: string): string {
  return text.startsWith('#!') ? firstText(text.split('\n')) : '';
}

/**
 * Comments that compilers, bundlers, runners and coverage tools read. Strings that look like one are matched too, which
 * only leads to more refusals.
 */
const PRAGMA =
  /@jsx|@jest-|@vitest-|@vite-ignore|[#@]__|[#@]\s*source(?:Mapping)?URL|istanbul|\bc8\b|\bv8\s+ignore|\bnode:coverage|\bwebpack[A-Z]|<\s*(?:reference|amd-)|@license|@preserve/;

function pragmas(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => PRAGMA.test(line))
    .map((line) => line.trim());
}
