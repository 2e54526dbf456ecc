export interface ListOptions<T> {
  /** Maximum number of named items. */
  readonly max: number;
  /** Separator of two items; a comma by default. */
  readonly separator?: string;
  /** Formats an item; called only for the named ones. */
  readonly name?: (item: T) => string | number;
}

/** The first items on one line, and the number of the others: `a, b and 3 more`. */
export function listFirst<T>(items: readonly T[], options: ListOptions<T>): string {
  const { max, separator = ', ', name = String } = options;
  const named = items.slice(0, max).map(name).join(separator);
  return items.length > max ? `${named} and ${items.length - max} more` : named;
}
