import { parse } from 'smol-toml';
import { readRegularText } from '../../lib/files/read-regular-file.ts';

const MAX_BYTES = 1024 * 1024;

/** Version names in the files of version managers. */

/** The text of a file of the project that can ask for a version, never through a link; '' where there is none, or what is no such file. */
export async function askingText(path: string): Promise<string> {
  return (await readRegularText(path, { maxBytes: MAX_BYTES, links: 'refused' })) ?? '';
}

/** The first line that is not empty or a comment. */
export function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.find((line) => line !== '') ?? '';
}

/** Reads `node = "22"`, `node = ["22", "20"]` or `node = { version = "22" }` below `[tools]`; the first of the given names that exists. */
export function miseVersion(text: string, names: readonly string[]): string {
  if (text === '') return '';
  try {
    const tools = memberOf(parse(text), 'tools');
    const named = names.map((name) => memberOf(tools, name)).find((value) => value !== undefined);
    const first: unknown = Array.isArray(named) ? named[0] : named;
    return textOf(memberOf(first, 'version') ?? first);
  } catch {
    return '';
  }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

export function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
