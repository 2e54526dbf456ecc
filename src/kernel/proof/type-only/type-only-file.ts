import type { StrippedSource } from '../../../contracts/ports/strip-types.ts';
import { differenceOfPrograms } from './same-program.ts';

/** One changed file in two versions; `null` is no file. */
export interface FileVersions {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The longest source that is looked at, in bytes. */
export const MAX_TYPED_BYTES = 512 * 1024;

const DECLARATIONS = /\.d\.[mc]?ts$/;

/**
 * Why a change of this file cannot be known to be of types alone, seen from its name and its text; null if what is left without the types decides
 * (`differsWithoutTypes`). In doubt it is a reason. Pure.
 */
export function whyNotComparable({ path, before, after }: FileVersions): string | null {
  const noTypes = whyNoTypes(path);
  if (noTypes !== null) return noTypes;
  if ((before === null || after === null) && !DECLARATIONS.test(path)) {
    return 'a file that appears or goes can be found by its name; only declarations (.d.ts) can be new or removed';
  }
  const [old, fresh] = [before ?? '', after ?? ''];
  // Enums of a declaration are written into the code that uses them.
  if (/\benum\b/.test(old) || /\benum\b/.test(fresh)) return 'it has an enum, whose values become code elsewhere too';
  if (firstLine(old) !== firstLine(fresh)) return 'the program that runs it changes (#!)';
  if (pragmas(old).join('\n') !== pragmas(fresh).join('\n')) return 'a comment changes that tools act on';
  return null;
}

/** Why a file of this name is not one whose types can be taken out; null if it is. Pure. */
export function whyNoTypes(path: string): string | null {
  if (path.endsWith('.tsx')) return 'JSX becomes code by settings of the project, which nothing here follows';
  if (/\.pyi?$/.test(path)) return 'there is no such check for Python, because its annotations exist at run time';
  if (!/\.[mc]?ts$/.test(path)) return 'only TypeScript (.ts, .mts, .cts) has types that can be taken out';
  return null;
}

/** Whether the file is another program without its types; null if it is the same one. Pure. */
export function differsWithoutTypes(path: string, before: StrippedSource, after: StrippedSource): string | null {
  for (const stripped of [before, after]) if (stripped.kind === 'refused') return stripped.why;
  if (before.kind !== 'ok' || after.kind !== 'ok') return 'it could not be compared';
  return differenceOfPrograms(before.code, after.code, path.endsWith('.cts') ? 'script' : 'module');
}

function firstLine(text: string): string {
  return text.startsWith('#!') ? (text.split('\n')[0] ?? '') : '';
}

/** What compilers, bundlers, runners and coverage read in comments. Strings that look like it count too: that is the safe side. */
const PRAGMA =
  /@jsx|@jest-|@vitest-|@vite-ignore|[#@]__|[#@]\s*source(?:Mapping)?URL|istanbul|\bc8\b|\bv8\s+ignore|\bnode:coverage|\bwebpack[A-Z]|<\s*(?:reference|amd-)|@license|@preserve/;

function pragmas(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => PRAGMA.test(line))
    .map((line) => line.trim());
}
