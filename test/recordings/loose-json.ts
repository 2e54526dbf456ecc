/** Recordings come from many programs and versions: what is not there is undefined, and nothing of it is trusted. */
export type Loose = Readonly<Record<string, unknown>>;

export function recordOf(value: unknown): Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Loose) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A text, or the texts of a list of blocks. */
export function blockText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((block) => textOf(recordOf(block)['text']))
    .filter((text) => text !== '')
    .join('\n');
}

/** Undefined for what is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The values of a file with one on each line; lines that are no JSON are left out. */
export function jsonLines(text: string): readonly unknown[] {
  return text.split('\n').flatMap((line) => {
    const value = line.trim() === '' ? undefined : jsonOf(line);
    return value === undefined ? [] : [value];
  });
}
